import svelte from 'eslint-plugin-svelte'
import ts from 'typescript-eslint'

export default ts.config(
    { ignores: ['src/generated', 'fixtures'] },
    ts.configs.recommended,
    svelte.configs.recommended,
    { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: ts.parser } } },
    {
        rules: {
            '@typescript-eslint/no-unused-expressions': ['error', { allowShortCircuit: true, allowTernary: true }],
            '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
            // A space at the edge of a block is kept only as `{' '}`.
            'svelte/no-useless-mustaches': 'off',
            // svelte-check sees the warnings that these comments are for.
            'svelte/no-unused-svelte-ignore': 'off',
            // Code replaces sets and maps as a whole, so they need no reactivity of their own.
            'svelte/prefer-svelte-reactivity': 'off',
        },
    },
)
