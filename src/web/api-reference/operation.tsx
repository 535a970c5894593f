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
        {operation.deprecated && <span class="tag">alias</span>}
      </h3>
      <p class="path">
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

/** Parameters of the prefix of most paths, which are left out. */
const COMMON_PARAMETERS = /^(organization|project)Id$/;

const parametersOf = ({ item, operation }: OperationProps): MemberProps[] =>
  [
    ...(item.parameters ?? []).filter(({ name }) => !COMMON_PARAMETERS.test(name)),
    ...(operation.parameters ?? []),
  ].map((parameter) => ({
    name: parameter.name,
    schema: parameter.schema,
    text: parameter.description,
    note: parameter.in === 'path' ? 'in the path' : parameter.required ? 'required' : undefined,
  }));

/** Parameters, body, responses and errors. */
const Bodies = ({ operation }: { operation: Operation }) => {
  const { requestBody, responses } = operation;
  const success = responses[200];
  return (
    <dl class="bodies">
      {requestBody && (
        <div>
          <dt>Body</dt>
          <dd>
            <Types content={requestBody.content} />
            {!requestBody.required && ' (optional)'}
          </dd>
        </div>
      )}
      <div>
        <dt>Response</dt>
        <dd>
          {success && 'content' in success && success.content ? <Types content={success.content} /> : 'empty'}
        </dd>
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
  const required = (operation.parameters ?? []).filter((parameter) => parameter.required);
  const query = [
    ...(open ? ['uniqueId=$LINK'] : []),
    ...required.map(({ name }) => `${name}=${variable(name)}`),
  ].join('&');
  const url = base + path.replace(/\{(\w+)\}/g, (_, name) => variable(name)) + (query && `?${query}`);
  const body = operation.requestBody?.content['application/json']?.example;
  const defaultMethod = body === undefined ? 'get' : 'post';
  return [
    `curl "${url}"`,
    ...(method === defaultMethod ? [] : [`-X ${method.toUpperCase()}`]),
    ...(open ? [] : [`-H "Authorization: Bearer $KEY"`]),
    ...(body === undefined ? [] : [`--json ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
}
