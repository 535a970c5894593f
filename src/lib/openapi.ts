/** The parts of an OpenAPI 3.1 document that are used here. Source: the OpenAPI Specification 3.1.1. */
export interface OpenApi {
  openapi: '3.1.1';
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    contact: object;
    license: object;
  };
  servers: Server[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    securitySchemes: Record<string, object>;
  };
}

interface Server {
  url: string;
  description?: string;
}

export type Method = 'get' | 'post' | 'put' | 'delete';

export type PathItem = { servers?: Server[]; parameters?: Parameter[] } & Partial<Record<Method, Operation>>;

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  deprecated?: boolean;
  /** The GraphQL operations that it may run. */
  'x-graphql-operation'?: readonly string[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response | Reference>;
  security: Record<string, string[]>[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description: string;
  schema: Schema;
  example?: unknown;
}

export interface Response {
  description: string;
  headers?: Record<string, object>;
  content?: Content;
}

export type Content = Record<string, { schema: Schema; example?: unknown }>;

export interface Reference {
  $ref: string;
}

/** JSON Schema 2020-12, as far as it is used. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: readonly string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema;
  anyOf?: Schema[];
  examples?: unknown[];
}
