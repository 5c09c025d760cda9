import { generateKeyPairSync } from 'node:crypto'

/** As GitHub gives it: PKCS#1. Made once for a file of tests. */
export const { privateKey: appKey, publicKey: appPublicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
})

export const webhookSecret = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'
