import { z } from 'zod'
import { storageErrors } from '../errors/storage-errors.ts'

const text = (max: number) => z.string().trim().min(1).max(max)

/** The variables of an object store, for the schema of each plugin that uses one; names of the AWS command line. */
export const objectStoreVariables = {
  AWS_ENDPOINT_URL: text(1000).optional().meta({
    description: 'The address of an S3-compatible object store, for s3: URLs.',
    example: 'https://minio.example.org:9000',
    defaultText: 'Amazon S3 in AWS_REGION',
  }),
  AWS_REGION: text(100)
    .regex(/^[\w-]+$/)
    .default('us-east-1')
    .meta({ description: 'The region of the bucket, for s3: URLs.', example: 'eu-central-1' }),
  AWS_ACCESS_KEY_ID: text(500).optional().meta({ description: 'The id of the access key, for s3: URLs.' }),
  AWS_SECRET_ACCESS_KEY: text(500).optional().meta({
    description: 'The secret of the access key, for s3: URLs.',
    secret: true,
  }),
  AWS_SESSION_TOKEN: text(4000).optional().meta({
    description: 'The token of a temporary access key, which is read at the start alone.',
    secret: true,
  }),
}

export type ObjectStoreEnv = z.output<z.ZodObject<typeof objectStoreVariables>>

/** A folder in a bucket, with the key that opens it. */
export interface ObjectLocation {
  /** The address of the bucket; objects are below it. */
  readonly bucketUrl: string
  readonly bucket: string
  /** Ends with a slash, unless it is empty. */
  readonly prefix: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of a temporary key. */
  readonly sessionToken: string | undefined
}

const urlForm = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w-][\w.-]*)*)\/?$/

/** Returns whether a text is `s3://bucket`, with a folder of letters, digits and `._-` after it or without. */
export const isObjectUrl = (url: string): boolean => urlForm.test(url)

/** @throws `object_store_invalid` for an invalid address, or without a key */
export const objectLocation = (url: string, env: ObjectStoreEnv): ObjectLocation => {
  const { AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = env
  const [, bucket, folder = ''] = urlForm.exec(url) ?? []
  if (bucket === undefined)
    throw invalid('The address is not that of a folder in a bucket.', 'Use s3://bucket/folder, without spaces.')
  if (AWS_ACCESS_KEY_ID === undefined || AWS_SECRET_ACCESS_KEY === undefined)
    throw invalid('The key of the object store is missing.', 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  const endpoint = AWS_ENDPOINT_URL ?? `https://s3.${AWS_REGION}.amazonaws.com`
  const { protocol, origin, pathname, username, search } = URL.canParse(endpoint) ? new URL(endpoint) : new URL('data:')
  if (!/^https?:$/.test(protocol) || username !== '' || search !== '')
    throw invalid('AWS_ENDPOINT_URL is not an http: or https: address.', 'Set it without a user and a query.')
  return {
    bucketUrl: `${origin}${pathname.replace(/\/+$/, '')}/${bucket}`,
    bucket,
    prefix: folder === '' ? '' : `${folder.slice(1)}/`,
    region: AWS_REGION,
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: env.AWS_SESSION_TOKEN,
  }
}

const invalid = (problem: string, remedy: string) => storageErrors.object_store_invalid({ problem, remedy })
