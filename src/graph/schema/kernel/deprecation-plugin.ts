import SchemaBuilder, {
  BasePlugin,
  type PothosInputFieldConfig,
  type PothosOutputFieldConfig,
  type PothosTypeConfig,
  type SchemaTypes,
} from '@pothos/core';
import type { GraphQLEnumValueConfigMap } from 'graphql';
import { type Deprecations, deprecationText } from '../../../lib/deprecation/deprecation.ts';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      deprecation: DeprecationPlugin<Types>;
    }
    export interface SchemaBuilderOptions<Types extends SchemaTypes> {
      /** What is deprecated, by its coordinate. */
      deprecations?: Deprecations;
    }
  }
}

/** Marks with `@deprecated` what the builder's option `deprecations` names. */
class DeprecationPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>) {
    return this.#marked(config, `${config.parentType}.${config.name}`);
  }

  override onInputFieldConfig(config: PothosInputFieldConfig<Types>) {
    const coordinate =
      config.kind === 'Arg'
        ? `${config.parentType}.${config.parentField}(${config.name}:)`
        : `${config.parentType}.${config.name}`;
    return this.#marked(config, coordinate);
  }

  override onTypeConfig(config: PothosTypeConfig) {
    if (config.kind !== 'Enum') return config;
    const values = Object.entries(config.values as GraphQLEnumValueConfigMap).map(([name, value]) => [
      name,
      this.#marked(value, `${config.name}.${name}`),
    ]);
    return { ...config, values: Object.fromEntries(values) };
  }

  #marked<Config extends { deprecationReason?: string | null | undefined }>(
    config: Config,
    coordinate: string,
  ): Config {
    const deprecation = this.builder.options.deprecations?.[coordinate];
    return deprecation ? { ...config, deprecationReason: deprecationText(deprecation) } : config;
  }
}

SchemaBuilder.registerPlugin('deprecation', DeprecationPlugin);
