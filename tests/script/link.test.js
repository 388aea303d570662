import test from 'node:test';
import assert from 'node:assert';
import {load} from './block.js';

const AF = await load();

test('a written link is read back', () => {
    const state = {byTime: true, threads: ['main', 'Binder:1, #2 & co [7]'], deep: ['a,b=c'], zooms: [
        {hash: '0a1b2c3d', part: null}, {hash: 'deadbeef', part: [0.25, 0.333333]}],
    clock: 'cpu', view: 'sandwich', method: '00c0ffee', query: '/on(Create|Bind)&=#%/i',
    range: {from: 200000000, to: 300000000}};
    const link = AF.writeLink(state);
    assert.match(link, /^[\x21-\x7e]*$/);
    assert.deepStrictEqual(AF.readLink('#' + link), state);
});

test('an unchanged picture has an empty link', () => {
    assert.strictEqual(AF.writeLink({threads: null, zooms: [], clock: '', view: '', method: '',
        query: '', range: null}), '');
    assert.deepStrictEqual(AF.readLink(''), {byTime: false, threads: null, deep: [], zooms: [], clock: null,
        view: null, method: null, query: '', range: null});
});

test('invalid links are ignored', () => {
    const state = AF.readLink('#z=xyz,12,deadbeef@9-1,0a1b2c3d@a-b&c=quartz&v=&m=1&q=%E0%A4%A&=&t' +
        '&r=9-8');
    assert.strictEqual(state.range, null);
    assert.strictEqual(AF.readLink('r=-1-5').range, null);
    assert.deepStrictEqual(state.zooms, [{hash: 'deadbeef', part: null}]);
    assert.deepStrictEqual([state.threads, state.clock, state.view, state.method, state.query],
        [null, null, null, null, '%E0%A4%A']);
});
