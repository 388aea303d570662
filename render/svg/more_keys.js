// Keys that only charts and comparisons have, as rows of keys.js.

export const moreKeys = [
    {
        view: 'chart', label: 'Click, arrow keys', help: 'select a frame and pin its numbers',
    }, {
        view: 'chart', label: 'Click again, Enter, f', help: 'zoom to the frame',
        keys: {f: (keys) => keys.zoomToFocused()},
    }, {
        view: 'chart', label: 'Drag on the ruler, Shift + drag',
        help: 'select a range to see its totals by method',
    }, {
        view: 'chart', label: 'r',
        help: 'show the totals of the selected range or visible time',
        keys: {r: ({view}) => view.chart.totals()},
    }, {
        view: 'chart', label: 'g',
        help: 'switch between the chart and the graph of the selected range or visible time',
        keys: {g: ({view}) => view.chart.toggle()},
    }, {
        view: 'chart', label: 'm', help: 'highlight the calls of this method',
        keys: {m: ({view}) => view.chart.highlightFocused()},
    }, {
        view: 'chart', label: 'e, E', needs: (view) => view.chart.cursor,
        help: 'next or previous track of instants or counter values; arrows move along it, ' +
            'Escape leaves it',
    }, {
        view: 'compare', label: 'k',
        help: 'switch between union, before, after and changes only',
    }, {
        view: 'compare', label: '], [', help: 'next and previous change, by size',
        keys: {
            ']': ({view}) => view.compare.step(1),
            '[': ({view}) => view.compare.step(-1),
        },
    }, {
        view: 'compare', label: 'o', help: 'go to the other position of a moved frame',
        keys: {o: ({view}) => view.compare.showTwin(view.chosen)},
    }, {
        view: 'compare', label: 'u', help: 'search changed frames only, or all frames',
        keys: {u: ({view}) => view.compare.toggleOnlyChanged()},
    },
];
