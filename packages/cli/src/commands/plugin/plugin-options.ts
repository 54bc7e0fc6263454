/** What the commands below `sibyl plugin` are called with. */
export interface PluginOptions {
  /** Answer with one object. */
  readonly json?: boolean
}
