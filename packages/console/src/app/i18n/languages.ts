/** Languages of the console, by their codes and their own names. */
export const languages = { en: 'English', fr: 'Français', sw: 'Kiswahili' } as const

export type Language = keyof typeof languages

const languageKey = 'sibyl-console-language'

/** Returns the language that the user chose, or the first one of the browser that the console has. */
export const currentLanguage = (): Language => {
  const chosen = [storedLanguage(), ...navigator.languages].map(code => code.slice(0, 2))
  return chosen.find(isLanguage) ?? 'en'
}

/** Returns an empty text where the browser stores nothing. */
const storedLanguage = (): string => {
  try {
    return localStorage.getItem(languageKey) ?? ''
  } catch {
    return ''
  }
}

/** Stores the language for the next visit. */
export const storeLanguage = (language: Language): void => localStorage.setItem(languageKey, language)

const isLanguage = (code: string): code is Language => code in languages
