import { ToolFailure } from '@sibyl/plugin'

/** Nothing in the graph has that URI. */
export class GraphNodeNotFound extends ToolFailure {
  override readonly code = 'graph_node_not_found'
  override readonly status = 404

  constructor() {
    super('No entity, claim or credential in the graph has that DID or URI.')
  }
}
