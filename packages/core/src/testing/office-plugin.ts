import type { OraclePlugin, PluginParts } from '@sibyl/plugin'
import type { LoadMode } from '@sibyl/plugin/host'
import { samplePlugin } from './sample-plugin.ts'

/**
 * Creates a plugin with the given contributions; its tools are loaded from the first step.
 *
 * @example officePlugin({ tools: { add: defineTool({ ... }) } })
 */
export const officePlugin = (parts: PluginParts, name = 'desk', load: LoadMode = 'always'): OraclePlugin =>
  samplePlugin(name, {
    manifest: { title: name, summary: `What ${name} does.`, whenToUse: [`someone asks for ${name}`], load },
    setup: () => parts,
  })
