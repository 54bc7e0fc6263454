import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { TurnDependencies } from './turn-dependencies.ts'

/** Returns the model of a turn, with the middleware of plugins. @param endsAt When the time of the turn is over. */
export const turnModel = async (
  { model, middleware }: Pick<TurnDependencies, 'model' | 'middleware'>,
  endsAt: number,
): Promise<LanguageModelV4> => {
  const [ai, plain] = await Promise.all([import('ai'), model({ endsAt })])
  return middleware.length > 0 ? ai.wrapLanguageModel({ model: plain, middleware: [...middleware] }) : plain
}
