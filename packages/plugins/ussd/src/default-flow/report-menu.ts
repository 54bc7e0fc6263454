import type { ClaimSubmission } from '@sibyl/protocol'
import type { ActionContext, ActionResult, Screen } from '../flow/flow.ts'
import { parseWords } from './account-inputs.ts'
import { type MenuKit, reportedActivity } from './menu-kit.ts'

/** Screens that report an activity as a claim; none where no plugin takes claims. */
export const reportMenu = (kit: MenuKit): Record<string, Screen> => {
  const { text, claims } = kit
  if (!claims) return {}
  return {
    enterReport: {
      kind: 'input',
      text: text('enterReport'),
      into: 'report',
      parse: parseWords(3, text('reportForm')),
      to: 'confirmReport',
    },
    confirmReport: { kind: 'confirm', text: text('confirmReport'), yes: 'submitReport', no: 'myAccount' },
    submitReport: {
      kind: 'action',
      effect: 'idempotent',
      run: context => submitReport(kit, claims, context),
      leadsTo: ['reportSent', 'reportUnavailable', 'signInAgain'],
    },
    reportSent: { kind: 'message', back: 'myAccount', text: text('reportSent') },
    reportUnavailable: { kind: 'message', back: 'myAccount', text: text('reportUnavailable') },
  }
}

const submitReport = async (kit: MenuKit, claims: ClaimSubmission, context: ActionContext): Promise<ActionResult> => {
  if (context.customerId === undefined) return { to: 'signInAgain' }
  const actor = kit.didOf(context)
  if (actor === undefined) return { to: 'reportUnavailable' }
  const { claimId } = await claims.submit({
    actor,
    type: reportedActivity,
    summary: String(context.values.report),
    idempotencyKey: context.idempotencyKey,
  })
  await sendReceipt(kit, claimId, context)
  return { to: 'reportSent', values: { reference: claimId, report: null } }
}

/** Sends the reference to the caller's phone; the report holds without that. */
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
 * The words of the SMS that follows a report.
 *
 * @param language what the caller reads; English where it has no words here
 * @param reference the claim's id
 */
export const reportReceiptText = (language: string, reference: string): string =>
  (texts[language] ?? texts.en!)(reference)
