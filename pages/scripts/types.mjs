/**
 * Writes `src/generated/schema.ts`: the types of all messages and of all bodies of the API.
 *
 * Reads `{"protocol": …, "openapi": …}` from stdin: both documents as a house serves them.
 * `make generated` calls it. A house's answer always has the fields with a default; a message
 * from a page may leave them out.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { compile } from 'json-schema-to-typescript'

const OUT = process.argv[2] ?? join(import.meta.dirname, '../src/generated/schema.ts')
const HEADER = '/** The types of all messages and of all bodies of the API. Written by `make generated`. */'
/** The keywords that shape a type; the house checks patterns and bounds. */
const KEPT = new Set([
    'type',
    'enum',
    'const',
    'anyOf',
    'oneOf',
    'items',
    'additionalProperties',
    'properties',
    'required',
])

const { protocol, openapi } = JSON.parse(await text(process.stdin))
const messages = protocol.$defs
const bodies = openapi.components.schemas

function plain(schema, isSent) {
    if (Array.isArray(schema)) return schema.map((each) => plain(each, isSent))
    if (typeof schema !== 'object' || schema === null) return schema
    if (schema.$ref) return { $ref: `#/definitions/${nameOf(schema.$ref)}` }
    const kept = {}
    for (const [key, value] of Object.entries(schema)) {
        if (key === 'properties')
            kept.properties = Object.fromEntries(
                Object.entries(value).map(([name, each]) => [name, plain(each, isSent)]),
            )
        else if (KEPT.has(key)) kept[key] = plain(value, isSent)
    }
    if (schema.prefixItems)
        Object.assign(kept, {
            items: plain(schema.prefixItems, isSent),
            minItems: schema.prefixItems.length,
            maxItems: schema.prefixItems.length,
        })
    if (schema.type === 'object') {
        kept.additionalProperties ??= !schema.properties
        // A schema without required fields and defaults is an update: it holds changed fields only.
        const properties = Object.entries(schema.properties ?? {})
        const isPartial = !schema.required && properties.every(([, each]) => !('default' in each))
        if (!isSent && !isPartial) kept.required = properties.map(([name]) => name)
    }
    return kept
}

/** The definitions that a page sends, with all parts of them. */
function sentFrom(root, definitions, found = new Set()) {
    for (const [, name] of JSON.stringify(root).matchAll(/"#\/(?:\$defs|components\/schemas)\/([^"]+)"/g)) {
        if (found.has(name)) continue
        found.add(name)
        sentFrom(definitions[name], definitions, found)
    }
    return found
}

/** An API type gets a prefix if the protocol has another type of that name. */
function nameOf(reference) {
    const name = reference.split('/').at(-1)
    const short = name.split('.').at(-1)
    return reference.startsWith('#/components') && clashing.has(name) ? `Api${short}` : short
}

const requests = Object.values(openapi.paths).flatMap((path) =>
    Object.values(path).flatMap(({ requestBody }) => requestBody ?? []),
)
const sentMessages = sentFrom(messages.ToHouse, messages)
const sentBodies = sentFrom(requests, bodies)
const clashing = new Set()
const shapeOf = (schema, isSent) => JSON.stringify(plain(schema, isSent))
for (const name of Object.keys(bodies)) {
    const short = name.split('.').at(-1)
    const isTwice = Object.keys(bodies).some((each) => each !== name && each.split('.').at(-1) === short && each < name)
    if (
        isTwice ||
        (messages[short] &&
            shapeOf(messages[short], sentMessages.has(short)) !== shapeOf(bodies[name], sentBodies.has(name)))
    )
        clashing.add(name)
}

const definitions = {}
for (const [name, schema] of Object.entries(messages)) definitions[name] = plain(schema, sentMessages.has(name))
for (const [name, schema] of Object.entries(bodies))
    definitions[nameOf(`#/components/schemas/${name}`)] = plain(schema, sentBodies.has(name))
const written = await compile({ definitions, type: 'object', additionalProperties: false }, 'Schema', {
    bannerComment: HEADER,
    additionalProperties: false,
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: false,
    style: { semi: false, singleQuote: true, printWidth: 10_000 },
})
const lines = written
    .replace(/\/\*\*\n \* This interface was referenced by `Schema`'s[^]*?\*\/\n/g, '')
    .replace(/^ *\/\*\*\n *\* @minItems[^]*?\*\/\n/gm, '')
    .replace(/^export interface Schema \{\}\n/m, '')
    .replace(/([=:])?\n +\| /g, (_, start) => (start ? `${start} ` : ' | '))
    .replace(/([{[(])\n +/g, '$1 ')
    .replace(/\n *([}\])])/g, ' $1')
    .replace(/\n +/g, '; ')
writeFileSync(OUT, lines.replace(/(?<=[{;]) ; /g, ' '))
