import type { claimSubmission, ServiceOf } from '@sibyl/protocol'
import type { ActionContext, ActionResult, Screen } from '../flow/flow.ts'
import type { MenuKit } from './menu-kit.ts'
import { action, input, message, parseWords } from './menu-screens.ts'

/** Returns screens that report an activity as a claim; none without a claims plugin. */
export const reportMenu = (kit: MenuKit): Record<string, Screen> => {
  const { claims } = kit
  if (!claims) return {}
  return {
    enterReport: input(kit, 'enterReport', {
      into: 'report',
      parse: parseWords(3),
      problem: 'reportForm',
      to: 'confirmReport',
    }),
    confirmReport: { kind: 'confirm', text: kit.text('confirmReport'), yes: 'submitReport', no: 'myAccount' },
    submitReport: {
      ...action(kit, (_, context) => submitReport(kit, claims, context), [
        'reportSent',
        'reportUnavailable',
        'signInAgain',
      ]),
      effect: 'idempotent',
    },
    reportSent: message(kit, 'reportSent', 'myAccount'),
    reportUnavailable: message(kit, 'reportUnavailable', 'myAccount'),
  }
}

const submitReport = async (
  kit: MenuKit,
  claims: ServiceOf<typeof claimSubmission>,
  context: ActionContext,
): Promise<ActionResult> => {
  if (context.customerId === undefined) return { to: 'signInAgain' }
  const actor = kit.didOf(context)
  if (actor === undefined) return { to: 'reportUnavailable' }
  const { claimId } = await claims.submit({
    actor,
    type: 'activity',
    summary: String(context.values.report),
    idempotencyKey: context.idempotencyKey,
  })
  await sendReceipt(kit, claimId, context)
  return { to: 'reportSent', values: { reference: claimId, report: null } }
}

/** Sends the reference to the caller's phone; a failure does not affect the report. */
const sendReceipt = async ({ sms, log }: MenuKit, claimId: string, context: ActionContext): Promise<void> => {
  const { phoneNumber: to, language, idempotencyKey } = context
  try {
    await sms?.send({
      to,
      text: reportReceiptText(language, claimId),
      idempotencyKey: `report-receipt ${idempotencyKey}`,
    })
  } catch (error) {
    log.warn('the sms plugin did not take in the receipt of a report', { claim: claimId, error })
  }
}

const texts: Readonly<Record<string, (reference: string) => string>> = {
  en: reference => `We have your report. Reference: ${reference}. You will get an SMS when it is decided.`,
  fr: reference => `Nous avons votre rapport. Référence : ${reference}. Un SMS vous dira ce qui est décidé.`,
  sw: reference => `Tumepokea ripoti yako. Kumbukumbu: ${reference}. Utapata SMS uamuzi ukitolewa.`,
}

/**
 * Returns the SMS that follows a report, in English if the language has no text for it. @param reference the claim's ID
 */
const reportReceiptText = (language: string, reference: string): string => (texts[language] ?? texts.en!)(reference)
