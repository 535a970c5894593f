import { RootFieldBuilder } from '@pothos/core';

/** What is used of the schema builder. */
interface ConnectionBuilder {
  connectionObject: (connection: never, edge: never) => unknown;
}

interface ConnectionOptions {
  type: { name: string };
}

type ConnectionField = (options: ConnectionOptions, connection?: unknown) => unknown;

/**
 * One `XConnection` and `XEdge` for each node type X, instead of one for each field: `t.connection` of a field without
 * a connection type of its own refers to them. Clients write one fragment for all lists of a type.
 */
export function shareConnectionTypes(builder: ConnectionBuilder): void {
  const connections = new Map<string, unknown>();
  const connectionOf = (type: ConnectionOptions['type']): unknown => {
    const { name } = type;
    const connection =
      connections.get(name) ??
      builder.connectionObject(
        { type, name: `${name}Connection`, description: `A page of a list of ${name}.` } as never,
        { name: `${name}Edge`, description: `An item of a list of ${name}.` } as never,
      );
    connections.set(name, connection);
    return connection;
  };
  const fields = RootFieldBuilder.prototype as unknown as { connection: ConnectionField };
  const ofField = fields.connection;
  fields.connection = function connection(options, own) {
    return ofField.call(this, options, own ?? connectionOf(options.type));
  };
}
