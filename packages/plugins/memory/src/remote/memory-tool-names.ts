import { toolNames } from '@sibyl/mcp-client'

/** Operations at a server of the memory's own contract, as the README describes it. */
const factOperations = ['remember', 'recall', 'forget'] as const
/** Operations at a server that keeps a knowledge graph, such as `@modelcontextprotocol/server-memory`. */
const graphOperations = ['open', 'create', 'add', 'remove', 'erase'] as const

/** Names at the server by operation. */
export type FactTools = Readonly<Record<(typeof factOperations)[number], string>>
export type GraphTools = Readonly<Record<(typeof graphOperations)[number], string>>

/** Tools of the two kinds of servers. */
export type MemoryTools =
  | { readonly kind: 'facts'; readonly names: FactTools }
  | { readonly kind: 'graph'; readonly names: GraphTools }

/** Value of `MEMORY_MCP_TOOLS` for `@modelcontextprotocol/server-memory`. */
export const serverMemoryTools =
  'open=open_nodes,create=create_entities,add=add_observations,remove=delete_observations,erase=delete_entities'

/** Schema of `MEMORY_MCP_TOOLS`. */
export const memoryToolNames = toolNames([...factOperations, ...graphOperations]).transform(
  (given, context): MemoryTools => {
    const operations = Object.keys(given)
    if (graphOperations.every(name => given[name] !== undefined)) {
      const { open = '', create = '', add = '', remove = '', erase = '' } = given
      if (operations.length === graphOperations.length) {
        return { kind: 'graph', names: { open, create, add, remove, erase } }
      }
    } else if (operations.every(name => factOperations.some(one => one === name))) {
      const { remember = 'remember', recall = 'recall', forget = 'forget' } = given
      return { kind: 'facts', names: { remember, recall, forget } }
    }
    const message = `must map ${graphOperations.join(', ')} for a knowledge graph, or some of ${factOperations.join(', ')}`
    context.addIssue({ code: 'custom', message })
    return { kind: 'facts', names: usualFactTools }
  },
)

/** The names of a server of its own contract, where the operator maps none. */
export const usualFactTools: FactTools = { remember: 'remember', recall: 'recall', forget: 'forget' }
