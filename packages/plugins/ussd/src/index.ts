export type { Customer, CustomerDraft, Customers, Phones, PinVerdict } from './customers/customers.ts'
export type * from './flow/flow.ts'
export type {
  ProviderMessage,
  ProviderRoute,
  ReplyFault,
  UssdProvider,
  WireReply,
  WireRequest,
} from './providers/ussd-provider.ts'
export type { TextLimits, TextMode, UssdReply, UssdRequest } from './requests/ussd-request.ts'
