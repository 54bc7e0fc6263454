import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Usage } from '@sibyl/protocol'

/** Returns the usage that a provider reports; zero where it reports none. */
export const usageOf = (usage: LanguageModelV4Usage | undefined): Usage => ({
  inputTokens: usage?.inputTokens?.total ?? 0,
  cachedInputTokens: usage?.inputTokens?.cacheRead ?? 0,
  outputTokens: usage?.outputTokens?.total ?? 0,
})
