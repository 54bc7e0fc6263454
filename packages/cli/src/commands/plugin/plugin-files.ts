import type { PluginNames } from './plugin-names.ts'

/**
 * Returns the source of a new plugin: one tool, with an example for the offline model.
 *
 * @param core The minimum version of `@sibyl/core`.
 */
export const pluginSource = ({ name, maker, title, tool }: PluginNames, core: string): string => {
  const spoken = title.toLowerCase()
  return `import { definePlugin, defineTool } from '@sibyl/plugin'
import { z } from 'zod'

/** Describe the plugin here in one sentence. */
export const ${maker} = () =>
  definePlugin({
    name: '${name}',
    version: '0.1.0',
    core: '^${core}',
    // The agent sees only this before it loads the plugin.
    manifest: {
      title: '${title}',
      summary: 'What ${spoken} knows about a subject.',
      whenToUse: ['someone asks ${spoken} about something'],
      load: 'on-demand',
      // The offline model uses only these examples; a real model reads the texts above.
      examples: [
        {
          user: ['Ask ${spoken} about {subject}', 'What does ${spoken} know about {subject}?'],
          tool: '${tool}',
          args: { subject: '{subject}' },
          answer: '{answer}',
        },
      ],
    },
    setup() {
      return {
        tools: {
          ${tool}: defineTool({
            description: 'What ${spoken} knows about a subject.',
            effect: 'read',
            input: z.object({ subject: z.string().min(1).max(100).describe('The subject of the question') }),
            output: z.object({ answer: z.string() }),
            async execute({ subject }) {
              return { answer: \`Nothing is known about \${subject} yet.\` }
            },
          }),
        },
      }
    },
  })
`
}

export const pluginTest = ({
  name,
  maker,
  title,
}: PluginNames): string => `import { checkPlugin, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { ${maker} } from './${name}.ts'

for (const check of checkPlugin(${maker})) test(check.name, check.run)

test('the agent answers with it', async () => {
  const oracle = await testApp({ plugins: [${maker}()] })
  onTestFinished(() => oracle.app.close())
  const { text } = await oracle.chat('Ask ${title.toLowerCase()} about rain')
  expect(text).toBe('Nothing is known about rain yet.')
})
`
