const texts: Readonly<Record<string, (code: string) => string>> = {
  en: code => `Your code is ${code}. It is good for 10 minutes. Tell it to nobody, not even to us.`,
  fr: code => `Votre code est ${code}. Il est valable 10 minutes. Ne le dites à personne, pas même à nous.`,
  sw: code => `Msimbo wako ni ${code}. Unatumika kwa dakika 10. Usimwambie mtu yeyote, hata sisi.`,
}

/**
 * The words of the SMS that carries a one-time code.
 *
 * @param language what the phone's user chose; English where it has no words here
 */
export const resetCodeText = (language: string | undefined, code: string): string =>
  (texts[language ?? 'en'] ?? texts.en!)(code)
