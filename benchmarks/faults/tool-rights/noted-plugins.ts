import type { Capability, OraclePlugin, PluginParts, Tool, Tools } from '@sibyl/plugin'
import { z } from 'zod'
import type { Plans } from './plans.ts'

/** A tool as its plugin defines it. */
export interface NotedTool {
  readonly isOfServer: boolean
  readonly effect: Tool['effect']
  /** The abilities of which a caller needs one; empty where the tool names none. */
  readonly abilities: readonly string[]
}

/** Every tool that the oracle offered so far, by name. */
export type NotedTools = Map<string, NotedTool>

const anyInput = z.looseObject({ ask: z.boolean().optional() })

/**
 * Replaces what tools do: a call that gets past the gate is noted in its plan. Abilities and effects stay as the plugins
 * define them. The input says whether a person is asked, so that each tool can be tried with and without an approval.
 *
 * @param alsoRuns Whether the tool's own code runs too.
 */
const noted = (name: string, tool: Tool, plans: Plans, alsoRuns: boolean): Tool => {
  const { output: _, inputSchema: __, describe: ___, ...kept } = tool
  return {
    ...kept,
    input: anyInput,
    approval: input => ((input as z.infer<typeof anyInput>).ask ? 'user' : 'none'),
    async execute(input, call) {
      plans.of(call.turn.text)?.ran.add(name)
      return alsoRuns ? tool.execute(input, call) : 'noted'
    },
  }
}

/** Wraps plugins so that their tools, and those of their capabilities, are noted. All are offered from the first step. */
export const notedPlugins = (plugins: readonly OraclePlugin[], plans: Plans, tools: NotedTools): OraclePlugin[] =>
  plugins.map(plugin => {
    const wrap = (own: Tools, capability?: string): Tools =>
      Object.fromEntries(
        Object.entries(own).map(([ownName, tool]) => {
          const name = capability === undefined ? ownName : `${capability.replaceAll('-', '_')}_${ownName}`
          const abilities = tool.ability === undefined ? [] : [tool.ability].flat()
          tools.set(name, { isOfServer: capability !== undefined, effect: tool.effect, abilities })
          return [ownName, noted(name, tool, plans, capability !== undefined)]
        }),
      )
    const wrapCapability = (capability: Capability): Capability =>
      Object.create(capability, {
        manifest: { get: () => ({ ...capability.manifest, load: 'always' }) },
        tools: {
          value: async (turn: Parameters<Capability['tools']>[0]) =>
            wrap(await capability.tools(turn), capability.name),
        },
      })
    return {
      ...plugin,
      manifest: { ...plugin.manifest, load: 'always' },
      async setup(host) {
        const { tools: own = {}, capabilities, ...parts }: PluginParts = await plugin.setup(host)
        const seen = new WeakMap<Capability, Capability>()
        return {
          ...parts,
          tools: typeof own === 'function' ? async turn => wrap(await own(turn)) : wrap(own),
          ...(capabilities && {
            capabilities: () =>
              capabilities.call(parts).map(one => {
                const wrapped = seen.get(one) ?? wrapCapability(one)
                seen.set(one, wrapped)
                return wrapped
              }),
          }),
        }
      },
    }
  })
