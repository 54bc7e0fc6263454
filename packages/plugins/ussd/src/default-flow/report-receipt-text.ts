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
