/** Relationships of the generic chain that lead to claims and credentials: the plugin that keeps claims writes them alone. */
export const reservedRelationships: ReadonlySet<string> = new Set(['produces', 'verifies', 'becomes'])
