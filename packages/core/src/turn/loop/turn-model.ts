import type { LanguageModelV4, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Usage } from '@sibyl/protocol'
import type { LoopDependencies } from './turn-run.ts'

/** Returns the model of a turn, with the middleware of plugins. @param endsAt When the time of the turn is over. */
export const turnModel = async (
  { model, middleware }: Pick<LoopDependencies, 'model' | 'middleware'>,
  endsAt: number,
): Promise<LanguageModelV4> => {
  const [ai, plain] = await Promise.all([import('ai'), model({ endsAt })])
  return middleware.length > 0 ? ai.wrapLanguageModel({ model: plain, middleware: [...middleware] }) : plain
}

/** Returns the usage that a provider reports; zero where it reports none. */
export const usageOf = (usage: LanguageModelV4Usage | undefined): Usage => ({
  inputTokens: usage?.inputTokens?.total ?? 0,
  cachedInputTokens: usage?.inputTokens?.cacheRead ?? 0,
  outputTokens: usage?.outputTokens?.total ?? 0,
})
