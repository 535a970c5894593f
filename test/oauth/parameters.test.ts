import { describe, expect, it } from 'vitest';
import { readParameters } from '../../src/oauth/parameters.ts';

function read(text: string) {
  const parameters = readParameters(text);
  return { value: parameters.value('a'), fault: parameters.error('a'), has: parameters.has('a') };
}

describe('a parameter (RFC 6749 §3.1)', () => {
  it.each([
    ['a=1', '1'],
    ['b=0&a=1&c=2', '1'],
    ['a=1=2', '1=2'],
    ['a=%2B+x%C3%BC%0A', '+ xü\n'],
    ['%61=1', '1'],
    ['=0&a=1', '1'],
    ['%zz=0&a=1', '1'],
  ])('in %j is %j', (text, value) => {
    expect(read(text)).toEqual({ value, fault: undefined, has: true });
  });

  it.each([
    ['', false],
    ['b=1', false],
    ['a', true],
    ['a=', true],
  ])('in %j has no value', (text, named) => {
    expect(read(text)).toEqual({ value: undefined, fault: undefined, has: named });
  });

  it.each([
    ['a=1&a=1', 'a occurs more than once.'],
    ['a=&a', 'a occurs more than once.'],
    ['a=%zz', 'a is malformed.'],
    ['a=%ff', 'a is malformed.'],
    ['a=x%00', 'a is malformed.'],
  ])('in %j is malformed', (text, fault) => {
    expect(read(text)).toEqual({ value: undefined, fault, has: true });
  });
});
