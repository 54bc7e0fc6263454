export type { UssdReply } from '../requests/ussd-request.ts'
export { type MeasuredText, measure, type TextLimits } from '../text/measure.ts'
export type { PhoneCall, PhoneForm, PhoneRequest } from './phone-form.ts'
export { phoneForms, plainForm } from './phone-forms.ts'
