const texts: Readonly<Record<string, (name: string, code: string) => string>> = {
  en: (name, code) =>
    `${name}: your code is ${code}. Whoever has it may have SMS sent to this phone. Not asked for? Ignore it. STOP ends all SMS.`,
  fr: (name, code) =>
    `${name} : votre code est ${code}. Qui l'a peut faire envoyer des SMS ici. Rien demandé ? Ignorez-le. STOP arrête tout.`,
  sw: (name, code) =>
    `${name}: msimbo wako ni ${code}. Aliye nao anaweza kutuma SMS kwa simu hii. Hukuomba? Upuuze. ACHA huzuia SMS zote.`,
}

/** The SMS with the code that links a phone, in one part. @param name the oracle's */
export const linkCodeText = (language: string | undefined, name: string, code: string): string => {
  const [short = ''] = (language ?? '').toLowerCase().split('-')
  const text = Object.hasOwn(texts, short) ? texts[short] : texts.en
  return text?.(name.slice(0, 30), code) ?? ''
}
