export type { Customers, Phones } from './customers/customers.ts'
export { defaultFlow } from './default-flow/default-flow.ts'
export type { DefaultFlowOptions, FlowServices } from './default-flow/menu-kit.ts'
export { defineFlow, extendFlow, type FlowExtension } from './flow/define-flow.ts'
export type * from './flow/flow.ts'
export { expectFlowFits, type LintOptions, lintFlow } from './flow/lint-flow.ts'
export type { FlowFinding } from './flow/lint-screens.ts'
export { bundledLanguages } from './languages/bundled-languages.ts'
export type { Language } from './languages/language.ts'
export { bundledProviders } from './providers/bundled-providers.ts'
export {
  defineUssdProvider,
  type ProviderReading,
  type UssdProviderDefinition,
} from './providers/define-ussd-provider.ts'
export type { UssdProvider, WireReply, WireRequest } from './providers/ussd-provider.ts'
export type { Answer, Questions } from './questions/questions.ts'
export type { TextLimits } from './text/measure.ts'
export { type UssdOptions, ussd } from './ussd.ts'
