import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { z } from 'zod'
import type { Knowledge } from './knowledge.ts'
import type { OfflineCatalogEntry } from './offline-catalog.ts'
import type { PastTurn } from './read-conversation.ts'
import { plainText } from './render-value.ts'
import { resumeReply } from './resume-reply.ts'
import { type Intent, understand } from './understand.ts'
import { wordAnswer, wordFailure } from './word-answer.ts'
import { wordGreeting, wordIdentity, wordIntroduction, wordUnknown } from './word-introduction.ts'

/** The action of the model at one call: a text, or one tool call. */
export type Step =
  | { readonly text: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }

/** Maximum number of earlier questions and replies that are followed. */
const maxFollowed = 8

/**
 * Makes out what the person wants with the last message. A message that replies to the model's own question is read
 * together with what led to the question; all of it is derived from the conversation.
 */
const intentOf = (turns: readonly PastTurn[], knowledge: Knowledge, followed = 0): Intent => {
  const current = turns.at(-1)
  if (current === undefined) return { kind: 'introduce' }
  const previous = turns.at(-2)
  if (previous && followed < maxFollowed && previous.answer.trimEnd().endsWith('?')) {
    const earlier = intentOf(turns.slice(0, -1), knowledge, followed + 1)
    const asked = 'question' in earlier && sameText(earlier.question, previous.answer)
    if (asked) return resumeReply(current.user, earlier, knowledge)
  }
  return understand(current.user, knowledge)
}

const sameText = (one: string, other: string): boolean =>
  one.replace(/\s+/g, ' ').trim() === other.replace(/\s+/g, ' ').trim()

/** The next step of the turn that the conversation ends with. */
export const nextStep = (turns: readonly PastTurn[], knowledge: Knowledge, offered: ReadonlySet<string>): Step => {
  const intent = intentOf(turns, knowledge)
  switch (intent.kind) {
    case 'call':
      return towards(intent, turns.at(-1)?.calls ?? [], offered)
    case 'ask-value':
    case 'ask-which':
    case 'confirm':
      return { text: intent.question }
    case 'greet':
      return { text: wordGreeting(knowledge.entries) }
    case 'identify':
      return { text: wordIdentity }
    case 'introduce':
      return { text: wordIntroduction(knowledge.entries) }
    case 'thanks':
      return { text: 'You are welcome.' }
    case 'cancelled':
      return { text: 'All right, I will not do it.' }
    case 'unknown':
      return { text: wordUnknown(intent.near, knowledge.entries) }
  }
}

/** The next step on the way list_capabilities, load_capability, tool, answer; what is done already is skipped. */
const towards = (
  { candidate, args }: Extract<Intent, { kind: 'call' }>,
  calls: PastTurn['calls'],
  offered: ReadonlySet<string>,
): Step => {
  const { entry, example } = candidate
  const called = calls.findLast(call => call.tool === example.tool)
  if (called?.result) return { text: wordAnswer({ candidate, args: called.input, result: called.result }) }
  if (called) return { text: 'That is waiting for your approval; it is not done yet.' }
  if (offered.has(example.tool)) return { tool: example.tool, input: args }

  const load = calls.findLast(call => call.tool === 'load_capability')
  if (load) return { text: withheldText(example.tool, load.result) ?? notLoaded(entry, load.result) }
  const listed = calls.some(call => call.tool === 'list_capabilities')
  if (!listed && offered.has('list_capabilities')) return { tool: 'list_capabilities', input: {} }
  if (offered.has('load_capability')) return { tool: 'load_capability', input: { names: [entry.name] } }
  return { text: `I understand the request, but the tool for it (${example.tool}) is not available here.` }
}

/** Why load_capability withholds a tool from this caller; undefined where it does not. */
const withheldText = (tool: string, result: LanguageModelV4ToolResultOutput | undefined): string | undefined => {
  const loaded = result?.type === 'json' ? loadResult.safeParse(result.value) : undefined
  const withheld = loaded?.data?.results.flatMap(one => one.withheld ?? []).find(({ name }) => name === tool)
  return withheld && `That was not done: this caller may not use ${tool}. ${plainText(withheld.error)}`
}

const loadResult = z.object({
  results: z.array(z.object({ withheld: z.array(z.object({ name: z.string(), error: z.string() })).optional() })),
})

const notLoaded = (
  { name, manifest }: OfflineCatalogEntry,
  result: LanguageModelV4ToolResultOutput | undefined,
): string => {
  const failed = result?.type === 'error-text' ? ` ${wordFailure(result.value)}` : ''
  return `${manifest.title} could not be used: loading “${name}” did not provide the tool I need.${failed}`
}
