import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Context } from '../domain/kernel/context.ts';
import { DomainError } from '../domain/kernel/errors.ts';
import { toDomainError } from '../graph/http/errors.ts';
import { requireScopesOf } from '../graph/http/execute.ts';
import { type Pricing, runPriced } from '../graph/http/priced.ts';
import type { Execute, Tool } from './tool.ts';

/** A request of an agent. */
export interface AgentCall {
  ctx: Context;
  pricing: Pricing;
  /** Accounts for a response until it is read. */
  delivery: {
    requireRoom: (bytes: number) => void;
    hold: (bytes: number) => void;
  };
  /** Does `work` at most once for a key of the caller. */
  once: (
    ctx: Context,
    named: { key: string; request: string },
    work: (ctx: Context) => Promise<{ answer: string; keep: boolean }>,
  ) => Promise<{ answer: string }>;
  /** For the access log. */
  note: (tool: string, failure?: string) => void;
  report: (error: unknown) => void;
}

/** All scopes of a tool, if the caller lacks one of them. */
export function missingScopes(tool: Tool, { ctx }: AgentCall): readonly string[] | undefined {
  try {
    requireScopesOf(
      ctx,
      tool.operations.flatMap(({ required }) => required),
    );
    return undefined;
  } catch (error) {
    if (error instanceof DomainError && error.scopes) return error.scopes.required;
    throw error;
  }
}

/** Calls a tool. What fails comes back as a result that the model can read, and mend. */
export async function callTool(tool: Tool, input: object, call: AgentCall): Promise<CallToolResult> {
  call.note(tool.name);
  try {
    const result = await runOnce(tool, input, call);
    return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result };
  } catch (error) {
    return failed(tool, error, call);
  }
}

type Answer = Record<string, unknown>;

/** At most once, if the caller gave the change a name. */
async function runOnce(tool: Tool, input: object, call: AgentCall): Promise<Answer> {
  const ctx = { ...call.ctx, via: `mcp:${tool.name}` };
  const { requestKey: key, ...named } = input as { requestKey?: string };
  if (key === undefined) return run(tool, input, call, ctx);
  const request = JSON.stringify([tool.name, named]);
  const { answer } = await call.once(ctx, { key, request }, async (claimed) => ({
    answer: JSON.stringify(await run(tool, input, call, claimed)),
    keep: true,
  }));
  return JSON.parse(answer);
}

async function run(
  tool: Tool,
  input: object,
  { pricing, delivery }: AgentCall,
  ctx: Context,
): Promise<Answer> {
  let total = 0;
  const execute: Execute = async (operation, variables) => {
    const { data, bytes } = await runPriced(operation, variables, ctx, pricing);
    total += bytes;
    return data;
  };
  const result = tool.output.parse(await tool.run(input as never, execute));
  if (tool.annotations.readOnlyHint) delivery.requireRoom(total);
  delivery.hold(total);
  return result;
}

/** The codes and words of GraphQL; an unexpected failure is logged, and gets a fixed text. */
function failed(tool: Tool, error: unknown, { ctx, note, report }: AgentCall): CallToolResult {
  const failure = toDomainError(error);
  if (!failure) report(error);
  const { code, message, at, retryAfter, version } = failure ?? {
    code: 'INTERNAL',
    message: 'Something went wrong on our side.',
  };
  note(tool.name, code);
  const { requestId } = ctx;
  const text = JSON.stringify({ error: { code, message, at, version, retryAfter, requestId } });
  return { content: [{ type: 'text', text }], isError: true };
}
