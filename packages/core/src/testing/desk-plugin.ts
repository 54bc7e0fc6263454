import type { LoadMode, OraclePlugin, PluginParts } from '@sibyl/plugin'
import { samplePlugin } from './sample-plugin.ts'

/**
 * Creates a plugin with the given contributions; its tools are loaded from the first step.
 *
 * @example deskPlugin({ tools: { add: defineTool({ ... }) } })
 */
export const deskPlugin = (parts: PluginParts, name = 'desk', load: LoadMode = 'always'): OraclePlugin =>
  samplePlugin(name, {
    manifest: { title: name, summary: `What ${name} does.`, whenToUse: [`someone asks for ${name}`], load },
    setup: () => parts,
  })
