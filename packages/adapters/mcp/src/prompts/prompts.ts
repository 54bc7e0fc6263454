import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server'
import type { SessionTools } from '@sibyl/plugin/host'
import { invalidParams } from '../errors/turn-refused.ts'

/** A prompt of a manifest's example. */
interface ExamplePrompt {
  readonly prompt: Prompt
  /** With placeholders: `Forecast for {city}`. */
  readonly wording: string
}

const placeholder = /\{(\w+)\}/g

/** The longest value of an argument, in characters. */
const maxValue = 2_000

/** Returns the answer to `prompts/list`: the examples of the manifests whose tools the caller can call, or load. */
export const listPrompts = (tools: SessionTools): Prompt[] => examplePrompts(tools).map(({ prompt }) => prompt)

/** Returns the answer to `prompts/get`. Throws for an unknown prompt and for a missing argument. */
export const getPrompt = (
  tools: SessionTools,
  name: string,
  given: Readonly<Record<string, string>> = {},
): GetPromptResult => {
  const found = examplePrompts(tools).find(({ prompt }) => prompt.name === name)
  if (!found) throw invalidParams(`There is no prompt '${name.slice(0, 100)}'. List the prompts.`)
  const text = found.wording.replaceAll(placeholder, (_, key: string) => {
    const value = Object.hasOwn(given, key) ? given[key] : undefined
    if (value === undefined || value.length > maxValue) {
      throw invalidParams(`The prompt needs the argument '${key}' of at most ${maxValue} characters.`)
    }
    return value
  })
  return {
    description: found.prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  }
}

const examplePrompts = ({ tools, capabilities }: SessionTools): ExamplePrompt[] => {
  const callable = new Set(tools.map(({ name }) => name))
  const counts = new Map<string, number>()
  return capabilities.flatMap(({ title, examples, isLoaded }) =>
    examples
      .filter(({ tool }) => !isLoaded || callable.has(tool))
      .map(({ user, tool }) => {
        const wording = typeof user === 'string' ? user : user[0]!
        const count = (counts.get(tool) ?? 0) + 1
        counts.set(tool, count)
        const names = [...new Set([...wording.matchAll(placeholder)].map(([, key]) => key!))]
        return {
          wording,
          prompt: {
            name: count === 1 ? tool : `${tool}-${count}`,
            title,
            description: wording,
            arguments: names.map(key => ({ name: key, required: true })),
          },
        }
      }),
  )
}
