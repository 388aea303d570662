// A page that shows the picture in a frame, such as an HTML report, can search it and learns which
// method is selected, and what link restores the view. Messages: to the picture {aflame: 'find',
// name}, from it {aflame: 'method', name} and {aflame: 'link', fragment}.

export const joinPage = (view) => {
    if (window.parent === window) {
        return;
    }
    view.link.tell = (fragment) => window.parent.postMessage({aflame: 'link', fragment}, '*');
    const focusFrame = view.focusFrame;
    view.focusFrame = (panel, node, ...more) => {
        focusFrame.call(view, panel, node, ...more);
        if (node > 0) {
            window.parent.postMessage({aflame: 'method',
                name: view.labels.full(panel.tree.label[node])}, '*');
        }
    };
    addEventListener('message', (event) => {
        if (event.source === window.parent && event.data?.aflame === 'find') {
            view.search.run(String(event.data.name));
            view.search.walk(1);
        }
    });
};
