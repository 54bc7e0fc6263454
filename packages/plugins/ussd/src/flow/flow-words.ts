import type { FlowLanguage, FlowWords } from './flow.ts'

/** English, for flows without `languages`. */
export const english: FlowLanguage = { code: 'en', name: 'English' }

type Words = Readonly<Record<keyof FlowWords, string>>

/**
 * The shared texts in the bundled languages, by language code. All characters are in the GSM 7-bit alphabet (which has
 * `é` and `à`, but neither `ç` nor `ê`), so that a screen holds 182 of them.
 */
export const bundledWords: Readonly<Record<'en' | 'sw' | 'fr', Words>> = {
  en: {
    exit: 'Exit',
    back: 'Back',
    more: 'More',
    previous: 'Previous',
    yes: 'Yes',
    no: 'No',
    notAnOption: 'That is not an option. Please try again.',
    goodbye: 'Thank you. Goodbye.',
    late: 'This takes a little longer. Reply 1 to check.',
    check: 'Check',
    failed: 'That did not work. Please try again later.',
    unknownOutcome: 'We could not tell whether that was done. Please check before you try again.',
    resume: 'Your last call was interrupted. Continue where you were?',
  },
  sw: {
    exit: 'Ondoka',
    back: 'Rudi',
    more: 'Zaidi',
    previous: 'Nyuma',
    yes: 'Ndiyo',
    no: 'Hapana',
    notAnOption: 'Chaguo hilo halipo. Tafadhali jaribu tena.',
    goodbye: 'Asante. Kwaheri.',
    late: 'Hii inachukua muda kidogo. Jibu 1 kuangalia.',
    check: 'Angalia',
    failed: 'Imeshindikana. Tafadhali jaribu tena baadaye.',
    unknownOutcome: 'Hatujui kama imefanyika. Tafadhali hakikisha kabla ya kujaribu tena.',
    resume: 'Simu yako ilikatika. Unataka kuendelea ulipoishia?',
  },
  fr: {
    exit: 'Quitter',
    back: 'Retour',
    more: 'Suite',
    previous: 'Précédent',
    yes: 'Oui',
    no: 'Non',
    notAnOption: 'Choix non valable. Veuillez réessayer.',
    goodbye: 'Merci. Au revoir.',
    late: 'Cela prend un peu de temps. Répondez 1 pour vérifier.',
    check: 'Vérifier',
    failed: 'Cela a échoué. Veuillez réessayer plus tard.',
    unknownOutcome: 'Nous ne savons pas si cela a été fait. Vérifiez avant de réessayer.',
    resume: 'Votre dernier appel a été coupé. Voulez-vous continuer ?',
  },
}

export const bundledWordsOf = (code: string): Words | undefined =>
  Object.hasOwn(bundledWords, code) ? bundledWords[code as keyof typeof bundledWords] : undefined
