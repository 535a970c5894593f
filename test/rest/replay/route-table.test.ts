import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { Operation } from '../../../src/rest/openapi/contract/contract.ts';
import { contractOf } from '../../../src/rest/openapi/openapi.ts';
import { restRoutes } from '../../../src/rest/routes.ts';

const shortPath = (path: string) =>
  path
    .replace('/organizations/:organizationId/projects/:projectId', '{project}')
    .replace(/^\/organizations\/:organizationId/, '{org}')
    .replace(/:(\w+)/g, '{$1}');

function answerText({ answer, textAnswer }: Operation): string {
  const text = textAnswer && `\`${textAnswer[0]}\``;
  if (answer === undefined) return text ?? 'empty';
  const json = typeof answer === 'object' ? `page of \`${answer.of}\`` : `\`${answer}\``;
  return text ? `${json} or ${text}` : json;
}

const lines = restRoutes.map(({ id, method, path, aliases = [] }) => {
  const paths = [path, ...aliases].map((each) => `\`${shortPath(each)}\``).join(', ');
  return `| ${method} | ${paths} | ${answerText(contractOf(id).contract)} |`;
});

it('the table of routes in the documentation has each route and what it answers', async () => {
  const text = await readFile('docs/rest.md', 'utf8');
  const [, table = ''] = text.split('## All routes');
  const written = table.split('\n').filter((line) => /^\| [A-Z]{3,6} \|/.test(line));
  expect(written).toEqual(lines);
});
