import type { LoadMode } from '@sibyl/plugin'
import type { OraclePlugin, PluginParts } from '../plugins/oracle-plugin.ts'
import { samplePlugin } from './sample-plugin.ts'

/**
 * A plugin with the parts that a test needs; its tools are on the desk from the first step.
 *
 * @example deskPlugin({ tools: { add: defineTool({ ... }) } })
 */
export const deskPlugin = (parts: PluginParts, name = 'desk', load: LoadMode = 'always'): OraclePlugin =>
  samplePlugin(name, {
    manifest: { title: name, summary: `What ${name} does.`, whenToUse: [`someone asks for ${name}`], load },
    setup: () => parts,
  })
