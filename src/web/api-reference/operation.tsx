import type { Content, OpenApi, Operation, PathItem } from '../../lib/openapi.ts';
import { Inline } from '../ui/inline-text.tsx';
import { type MemberProps, MemberTable, Type } from './schema.tsx';

export interface OperationProps {
  method: string;
  path: string;
  /** Prefix of the path. */
  base: string;
  item: PathItem;
  operation: Operation;
}

/** Every operation of an OpenAPI description. */
export function operationsOf({ paths, servers }: OpenApi): OperationProps[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    const { servers: own, parameters: _, ...methods } = item;
    const base = (own ?? servers)[0]?.url ?? '';
    return Object.entries(methods).map(([method, operation]) => ({ method, path, base, item, operation }));
  });
}

export const OperationArticle = (props: OperationProps) => {
  const { method, path, operation } = props;
  const parameters = parametersOf(props);
  return (
    <article class="operation" id={operation.operationId}>
      <h3>
        <a href={`#${operation.operationId}`}>{operation.summary}</a>
        {operation.deprecated && <span class="old">older path</span>}
      </h3>
      <p class="address">
        <b class={`method ${method}`}>{method.toUpperCase()}</b> <Path path={path} />
      </p>
      {operation.description && (
        <p>
          <Inline text={operation.description} />
        </p>
      )}
      {parameters.length > 0 && <MemberTable title="Parameters" members={parameters} />}
      <Bodies operation={operation} />
      <pre>
        <code>{curl(props)}</code>
      </pre>
    </article>
  );
};

/** Allows a line break after each slash of a path. */
const Path = ({ path }: { path: string }) => (
  <code>{path.split('/').flatMap((part, index) => (index === 0 ? [part] : [<wbr />, `/${part}`]))}</code>
);

/** Leaves out the prefix that nearly every path has. */
const EVERYWHERE = /^(organization|project)Id$/;

const parametersOf = ({ item, operation }: OperationProps): MemberProps[] =>
  [
    ...(item.parameters ?? []).filter(({ name }) => !EVERYWHERE.test(name)),
    ...(operation.parameters ?? []),
  ].map((parameter) => ({
    name: parameter.name,
    schema: parameter.schema,
    text: parameter.description,
    note: parameter.in === 'path' ? 'in the path' : parameter.required ? 'needed' : undefined,
  }));

/** Parameters, body, responses and errors. */
const Bodies = ({ operation }: { operation: Operation }) => {
  const { requestBody, responses } = operation;
  const done = responses[200];
  return (
    <dl class="bodies">
      {requestBody && (
        <div>
          <dt>Body</dt>
          <dd>
            <Types content={requestBody.content} />
            {!requestBody.required && ', or none'}
          </dd>
        </div>
      )}
      <div>
        <dt>Answer</dt>
        <dd>{done && 'content' in done && done.content ? <Types content={done.content} /> : 'empty'}</dd>
      </div>
      <div>
        <dt>Errors</dt>
        <dd>
          {Object.keys(responses)
            .filter((status) => Number(status) >= 400)
            .flatMap((status, index) => [index > 0 && ' ', <a href={`#error-${status}`}>{status}</a>])}
        </dd>
      </div>
    </dl>
  );
};

const Types = ({ content }: { content: Content }) => (
  <>
    {Object.entries(content).flatMap(([type, { schema }], index) => [
      index > 0 && ', or ',
      <Type schema={schema} />,
      type !== 'application/json' && ` as ${type}`,
    ])}
  </>
);

const variable = (name: string) =>
  `$${name
    .replace(/Id$/, '')
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase()}`;

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request as a curl command, with shell variables for the caller's values. */
function curl({ method, path, base, operation }: OperationProps): string {
  const open = operation.security.some(({ publicLink }) => publicLink);
  const needed = (operation.parameters ?? []).filter(({ required }) => required);
  const query = [
    ...(open ? ['uniqueId=$LINK'] : []),
    ...needed.map(({ name }) => `${name}=${variable(name)}`),
  ].join('&');
  const address = base + path.replace(/\{(\w+)\}/g, (_, name) => variable(name)) + (query && `?${query}`);
  const body = operation.requestBody?.content['application/json']?.example;
  const usual = body === undefined ? 'get' : 'post';
  return [
    `curl "${address}"`,
    ...(method === usual ? [] : [`-X ${method.toUpperCase()}`]),
    ...(open ? [] : [`-H "Authorization: Bearer $KEY"`]),
    ...(body === undefined ? [] : [`--json ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
}
