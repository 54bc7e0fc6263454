import type { Candidate, OfflineCatalogEntry } from './offline-catalog.ts'
import { readableExample } from './word-question.ts'

const maxListed = 16

/** Instructions to configure a real model, in one sentence. */
const realModelHint =
  'For free conversation, configure a real model: set OPENAI_API_KEY, or OPENAI_BASE_URL and LLM_MODEL for your own server, and restart the oracle.'

const identity =
  'I am the offline model: I need no key and no network, and I answer requests like the examples of the plugins.'

/** Says what the offline model is. */
export const wordIdentity = `${identity} “What can you do?” lists them.`

/** Greets, with one example of a request. */
export const wordGreeting = (entries: readonly OfflineCatalogEntry[]): string => {
  const example = entries.flatMap(({ manifest }) => manifest.examples ?? [])[0]
  if (example === undefined) return wordIntroduction(entries)
  return `Hello! You can say “${readableExample({ example })}”; “What can you do?” lists more.`
}

/** Says what the offline model is, what it can do by the plugins' own examples, and how to set a real one. */
export const wordIntroduction = (entries: readonly OfflineCatalogEntry[]): string => {
  const lines = entries.slice(0, maxListed).map(describe)
  const rest = entries.length > maxListed ? [`- and ${entries.length - maxListed} more`] : []
  const list = lines.length === 0 ? 'No plugin is available yet.' : ['Try:', ...lines, ...rest].join('\n')
  return [identity, list, realModelHint].join('\n\n')
}

const describe = ({ manifest }: OfflineCatalogEntry): string => {
  const examples = manifest.examples ?? []
  const tools = new Set<string>()
  const shown = examples.filter(({ tool }) => !tools.has(tool) && tools.add(tool)).slice(0, 2)
  if (shown.length === 0) return `- ${manifest.title}: ${manifest.summary}`
  return `- ${manifest.title}: ${shown.map(example => `“${readableExample({ example })}”`).join(' or ')}`
}

/** Says that a request is not understood, with the nearest examples. */
export const wordUnknown = (near: readonly Candidate[], entries: readonly OfflineCatalogEntry[]): string => {
  const sorry = 'I am the offline model and cannot answer that.'
  if (near.length === 0) {
    const titles = entries.slice(0, maxListed).map(entry => entry.manifest.title)
    const about =
      titles.length === 0 ? '' : ` I can answer about: ${titles.join(', ')}. Ask “what can you do?” for examples.`
    return `${sorry}${about}\n\n${realModelHint}`
  }
  const lines = near.map(candidate => `- ${candidate.entry.manifest.title}: “${readableExample(candidate)}”`)
  return [`${sorry} The closest examples:`, ...lines, '', realModelHint].join('\n')
}
