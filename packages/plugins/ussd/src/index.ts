export { PinWeakError } from './customers/customer-errors.ts'
export type { Customer, CustomerDraft, Customers, Phones, PinVerdict } from './customers/customers.ts'
export type { PinFault, PinOwner } from './customers/pin-rules.ts'
export { defaultFlow } from './default-flow/default-flow.ts'
export type { DefaultFlowOptions, FlowServices } from './default-flow/menu-kit.ts'
export { createFlowMachine } from './flow/create-flow-machine.ts'
export { type ConnectedFlow, defineFlow, type NoSuchScreen } from './flow/define-flow.ts'
export { extendFlow, type FlowExtension } from './flow/extend-flow.ts'
export type * from './flow/flow.ts'
export { FlowInvalidError } from './flow/flow-invalid-error.ts'
export type { ActionOutcome, FlowFacts, FlowMachine, FlowState, FlowStep } from './flow/flow-machine.ts'
export { expectFlowFits, type LintOptions, lintFlow } from './flow/lint-flow.ts'
export { type FlowFinding, findingText } from './flow/lint-screens.ts'
export { bundledLanguages } from './languages/bundled-languages.ts'
export type { DefaultTexts, Language } from './languages/language.ts'
export { bundledProviders } from './providers/bundled-providers.ts'
export { UssdProviderInvalid } from './providers/check-provider.ts'
export {
  defineUssdProvider,
  type ProviderReading,
  type UssdProviderDefinition,
} from './providers/define-ussd-provider.ts'
export type {
  ProviderMessage,
  ProviderRoute,
  ReplyFault,
  UssdProvider,
  WireReply,
  WireRequest,
} from './providers/ussd-provider.ts'
export type {
  Answer,
  AnsweredQuestion,
  Asker,
  Question,
  QuestionRefusal,
  Questions,
} from './questions/questions.ts'
export type { TextLimits, TextMode, UssdReply, UssdRequest } from './requests/ussd-request.ts'
export { cleanInput } from './text/clean-input.ts'
export { fits, type MeasuredText, measure, narrowLimits, standardLimits } from './text/measure.ts'
export { splitPages } from './text/paginate.ts'
export { shorten } from './text/shorten.ts'
export { type UssdOptions, ussd } from './ussd.ts'
