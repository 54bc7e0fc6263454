/** The tables of this room. */
export interface GraphTables {
  entities_edges: EdgeRow
}

/** An edge; both nodes are ids of entities, or URIs of something else. */
export interface EdgeRow {
  from_node: string
  relationship: string
  to_node: string
  created_at: number
}
