// The script of pictures with charts or comparisons. parts.js comes first, because modules look
// for its parts when they start.
import './parts.js';

export * from './graph.js';
export {mergeCalls} from './calls.js';
