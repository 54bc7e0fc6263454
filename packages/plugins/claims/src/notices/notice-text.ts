import type { ClaimAction } from '@sibyl/protocol'

/** The steps of a claim that a claimant on a phone is told of. */
export type ToldAction = Extract<ClaimAction, 'approve' | 'reject' | 'dispute' | 'uphold' | 'invalidate'>

const texts: Readonly<Record<string, Readonly<Record<ToldAction, string>>>> = {
  en: {
    approve: 'Your report {report} was approved.',
    reject: 'Your report {report} was not approved.',
    dispute: 'The decision on your report {report} is disputed and looked at again.',
    uphold: 'The decision on your report {report} stands.',
    invalidate: 'The decision on your report {report} was taken back.',
  },
  fr: {
    approve: 'Votre rapport {report} est approuvé.',
    reject: "Votre rapport {report} n'est pas approuvé.",
    dispute: 'La décision sur votre rapport {report} est contestée et sera revue.',
    uphold: 'La décision sur votre rapport {report} est maintenue.',
    invalidate: 'La décision sur votre rapport {report} est annulée.',
  },
  sw: {
    approve: 'Ripoti yako {report} imekubaliwa.',
    reject: 'Ripoti yako {report} haikukubaliwa.',
    dispute: 'Uamuzi kuhusu ripoti yako {report} unapingwa na utaangaliwa tena.',
    uphold: 'Uamuzi kuhusu ripoti yako {report} unabaki.',
    invalidate: 'Uamuzi kuhusu ripoti yako {report} umefutwa.',
  },
}

/** Whether a claimant on a phone is told of a step. */
export const isTold = (action: ClaimAction): action is ToldAction => Object.hasOwn(texts.en!, action)

/** A text without what no SMS carries or what hides others: controls, characters of direction, halves of characters. */
const onOneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()

/** The most characters of a report in a notice. */
const longestReport = 40

/**
 * What a claimant on a phone is told, in one SMS.
 *
 * @param language a BCP 47 code; English where it has no words here
 * @param claim its id, and its own words where it has any
 */
export const noticeText = (
  action: ToldAction,
  language: string | undefined,
  { id, summary }: { readonly id: string; readonly summary?: unknown },
): string => {
  const [code = ''] = (language ?? '').toLowerCase().split('-')
  const words = (Object.hasOwn(texts, code) ? texts[code]! : texts.en!)[action]
  const said = typeof summary === 'string' ? [...onOneLine(summary)] : []
  const shown = said.length > longestReport ? `${said.slice(0, longestReport - 3).join('')}...` : said.join('')
  return `${words.replace('{report}', () => (shown === '' ? '' : `"${shown}"`)).replace('  ', ' ')} ${id}`
}
