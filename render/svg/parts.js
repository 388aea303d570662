// Fills more.js.
import {callFacts, callWaitSpan, mergeCalls, readCalls} from './calls.js';
import {Chart} from './chart.js';
import {Compare, mergeSides, readSides} from './compare.js';
import {more} from './more.js';
import {moreKeys} from './more_keys.js';

Object.assign(more, {callFacts, callWaitSpan, Chart, Compare, mergeCalls, mergeSides, moreKeys,
    readCalls, readSides});
