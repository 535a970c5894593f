import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Content, Method, OpenApi, Operation } from '../../src/lib/openapi.ts';
import { viewerDocumentRoutes } from '../../src/rest/documents/viewer-routes.ts';
import { openApi } from '../../src/rest/openapi/openapi.ts';
import { restRoutes } from '../../src/rest/routes.ts';

export const description: OpenApi = openApi('http://docgraph.test', restRoutes, viewerDocumentRoutes);

/** In answers, no member may be there that is not described; clients are told that there may be more. */
const closed = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(closed);
  if (part === null || typeof part !== 'object') return part;
  const copy = Object.fromEntries(Object.entries(part).map(([name, each]) => [name, closed(each)]));
  return 'properties' in part && 'type' in part ? { additionalProperties: false, ...copy } : copy;
};

const newAjv = (document: unknown) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  return ajv.addSchema(document as object, 'openapi');
};
const answers = newAjv(closed(description));
const requests = newAjv(description);

const pointer = (...steps: string[]) =>
  `openapi#/${steps
    .map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))
    .map(encodeURIComponent)
    .join('/')}`;

const compiled = new Map<string, ValidateFunction>();

function validator(ajv: Ajv2020, at: string): ValidateFunction {
  const key = `${ajv === answers ? 'answer' : 'request'} ${at}`;
  const validate = compiled.get(key) ?? ajv.compile({ $ref: at });
  compiled.set(key, validate);
  return validate;
}

function faultsOf(ajv: Ajv2020, at: string, value: unknown): string[] {
  const validate = validator(ajv, at);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
  );
}

const templates = Object.keys(description.paths)
  .sort((a, b) => a.split('{').length - b.split('{').length)
  .map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/[.$]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

/** Where the description has a request; undefined for what is no route. */
function described(method: string, path: string): { template: string; operation: Operation } | undefined {
  const [plain = ''] = path.split('?');
  for (const { template, pattern } of templates) {
    const operation = description.paths[template]?.[method.toLowerCase() as Method];
    if (operation && pattern.test(plain)) return { template, operation };
  }
  return undefined;
}

export interface AnswerToCheck {
  status: number;
  /** Without its parameters; '' for none. */
  type: string;
  body: unknown;
}

/** Throws where an answer of REST v1 is not what the description says of it. Unknown paths and methods are not described. */
export function checkAnswer(method: string, path: string, { status, type, body }: AnswerToCheck): void {
  const route = described(method, path);
  if (!route) {
    if (status !== 404 && status !== 405)
      throw new Error(`${method} ${path} answers ${status} and is not described.`);
    return;
  }
  const response = route.operation.responses[status];
  const fault = (text: string) => new Error(`${method} ${route.template} answers ${status} ${text}`);
  if (!response) throw fault('and is not described to.');
  const steps =
    '$ref' in response
      ? ['components', 'responses', response.$ref.split('/').at(-1) as string]
      : ['paths', route.template, method.toLowerCase(), 'responses', String(status)];
  const content =
    '$ref' in response ? description.components.responses[steps[2] as string]?.content : response.content;
  checkContent(content, { type, body }, steps, fault);
}

function checkContent(
  content: Content | undefined,
  { type, body }: Omit<AnswerToCheck, 'status'>,
  steps: string[],
  fault: (text: string) => Error,
): void {
  if (!content) {
    if (body !== '') throw fault(`with ${JSON.stringify(body)}, where nothing is described.`);
    return;
  }
  if (!content[type]) throw fault(`as "${type}", which is not described.`);
  const faults = faultsOf(answers, pointer(...steps, 'content', type, 'schema'), body);
  if (faults.length > 0) throw fault(`otherwise than described:\n${faults.slice(0, 10).join('\n')}`);
}

/** What is wrong with a value, by the schema at a path of the description; closed objects as in answers. */
export const schemaFaults = (steps: readonly string[], value: unknown): string[] =>
  faultsOf(answers, pointer(...steps), value);

/** What is wrong with the body of a request, as the description has it. */
export function requestFaults(method: string, path: string, body: unknown): string[] {
  const route = described(method, path);
  if (!route) return ['it is not described'];
  const { requestBody } = route.operation;
  if (!requestBody) return body === undefined ? [] : ['no body is described'];
  if (body === undefined) return requestBody.required ? ['a body is needed'] : [];
  return faultsOf(
    requests,
    pointer(
      'paths',
      route.template,
      method.toLowerCase(),
      'requestBody',
      'content',
      'application/json',
      'schema',
    ),
    body,
  );
}
