/** Form of a response: the whole result of a resolution, or the document alone, and its media type. */
export interface ResolutionForm {
  readonly part: 'result' | 'document'
  readonly contentType: string
}

const resultForm: ResolutionForm = { part: 'result', contentType: 'application/did-resolution' }

/** The profile of `application/ld+json` that earlier drafts of the standard gave the whole result. */
const resultProfile = 'https://w3id.org/did-resolution'

const forms: Readonly<Record<string, ResolutionForm>> = {
  '*/*': resultForm,
  'application/*': resultForm,
  'application/did-resolution': resultForm,
  'application/json': { part: 'result', contentType: 'application/json' },
  'application/did': { part: 'document', contentType: 'application/did' },
  'application/did+json': { part: 'document', contentType: 'application/did+json' },
  'application/did+ld+json': { part: 'document', contentType: 'application/did+ld+json' },
}

/** Longest `Accept` that is read, in characters. */
const maxAccept = 1_000

/**
 * Chooses the form of an answer by the `Accept` header (RFC 9110 §12.5.1): the wanted one that is preferred most, the first
 * of several; the whole result where nothing is wanted.
 *
 * @returns undefined when none of what is wanted can be given
 */
export const negotiate = (accept: string | undefined): ResolutionForm | undefined => {
  if (accept === undefined || accept.trim() === '') return resultForm
  const wanted = accept
    .slice(0, maxAccept)
    .split(',')
    .map(readRange)
    .filter(({ form, quality }) => form !== undefined && quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  return wanted[0]?.form
}

const readRange = (range: string): { readonly form: ResolutionForm | undefined; readonly quality: number } => {
  const [type = '', ...parameters] = range.split(';').map(part => part.trim())
  const values = new Map(
    parameters.map(parameter => {
      const at = parameter.indexOf('=')
      return [
        parameter.slice(0, at).trim().toLowerCase(),
        parameter
          .slice(at + 1)
          .trim()
          .replaceAll('"', ''),
      ]
    }),
  )
  const quality = Number(values.get('q') ?? 1)
  return {
    form: formOf(type.toLowerCase(), values.get('profile')),
    quality: Number.isFinite(quality) ? quality : 0,
  }
}

const formOf = (type: string, profile: string | undefined): ResolutionForm | undefined => {
  if (type !== 'application/ld+json') return Object.hasOwn(forms, type) ? forms[type] : undefined
  return profile === resultProfile
    ? { part: 'result', contentType: `application/ld+json;profile="${resultProfile}"` }
    : { part: 'document', contentType: 'application/did+ld+json' }
}
