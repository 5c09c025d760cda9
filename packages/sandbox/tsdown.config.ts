import { defineConfig } from 'tsdown'

/** Builds the door with its types, and the forwarder beside it; other people's packages stay outside. */
export default defineConfig({
  entry: ['sandbox.ts', 'sandbox-forwarder.ts'],
  format: 'esm',
  platform: 'node',
  target: 'node22',
  fixedExtension: true,
  dts: true,
  clean: true,
})
