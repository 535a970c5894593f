import { describe, expect, it } from 'vitest';
import { readParameters } from '../../src/oauth/parameters.ts';

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
    const parameters = readParameters(text);
    expect([parameters.value('a'), parameters.fault('a'), parameters.has('a')]).toEqual([
      value,
      undefined,
      true,
    ]);
  });

  it.each([
    ['', false],
    ['b=1', false],
    ['a', true],
    ['a=', true],
  ])('in %j has no value', (text, named) => {
    const parameters = readParameters(text);
    expect([parameters.value('a'), parameters.fault('a'), parameters.has('a')]).toEqual([
      undefined,
      undefined,
      named,
    ]);
  });

  it.each([
    ['a=1&a=1', 'a is given more than once.'],
    ['a=&a', 'a is given more than once.'],
    ['a=%zz', 'a is not well-formed.'],
    ['a=%ff', 'a is not well-formed.'],
    ['a=x%00', 'a is not well-formed.'],
  ])('in %j cannot be read', (text, fault) => {
    const parameters = readParameters(text);
    expect([parameters.value('a'), parameters.fault('a')]).toEqual([undefined, fault]);
    expect(parameters.has('a')).toBe(true);
  });
});
