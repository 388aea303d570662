// The script of pictures without charts and comparisons. Its exports are for tests, as global AF.
export {frameOf} from './layout.js';
export {totalsOf} from './sandwich.js';
export {started, view} from './start.js';
export {hashPath, isWithin, runnableOf, timeOf, timesOf, WAIT, WALL} from './tree.js';
export {ariaText, factsOf, labelOf, nameOf, timeText} from './words.js';
