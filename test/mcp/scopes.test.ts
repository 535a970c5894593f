import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MCP_SCOPES } from '../../src/domain/oauth/resource-server.ts';
import { scopeAlternatives } from '../../src/graph/http/execute.ts';
import { tools } from '../../src/mcp/tools.ts';

/** The smallest set of scopes of each tool. */
const SCOPES = Object.fromEntries(
  tools.map(({ name, operations }) => [
    name,
    scopeAlternatives(operations.flatMap(({ required }) => required))[0] ?? [],
  ]),
);

describe('the scopes of the tools', () => {
  it('are those that the documents name', () => {
    const rows = readFileSync('docs/agents.md', 'utf8').match(/^\| .*`\w+\.\w+`.*\|$/gm) ?? [];
    const named = rows.flatMap((row) => {
      const [, , names = '', scopes = ''] = row.split('|');
      return [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => [name, scopes.match(/\w+:\w+/g) ?? []]);
    });
    expect(Object.fromEntries(named)).toEqual(SCOPES);
  });

  it('with which a client begins are those of the tools that read, but for events', () => {
    const reading = tools.filter(
      ({ name, annotations }) => annotations.readOnlyHint && name !== 'events.list',
    );
    const least = new Set(reading.flatMap(({ name }) => SCOPES[name] ?? []));
    expect([...MCP_SCOPES].sort()).toEqual([...least].sort());
  });

  it('of a tool that reads documents include none by which they could be sent out', () => {
    const all = Object.values(SCOPES).flat().join();
    expect(all).not.toMatch(/webhooks|forms|signatures|approvals|members|organizations:write/);
  });
});
