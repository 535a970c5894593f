-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- As before; also letters of Arabic that languages write differently (kaf, yeh, heh and teh marbuta, alef wasla), digits of
-- all scripts, and the apostrophe that is a letter.
CREATE OR REPLACE FUNCTION search_fold(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN value ~ '^[\x01-\x7f]*$' THEN lower(value COLLATE "C") ELSE
    replace(replace(replace(replace(replace(replace(translate(lower(regexp_replace(normalize(value, NFKD) COLLATE "C",
      '[\u00ad\u02bc\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]', '', 'g')),
      'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖØøĐđŁłĦħıÐðς' || U&'\0671\06a9\06aa\06cc\0649\0629\06d5\06c1\06be\0660\0661\0662\0663\0664\0665\0666\0667\0668\0669\06f0\06f1\06f2\06f3\06f4\06f5\06f6\06f7\06f8\06f9\07c0\07c1\07c2\07c3\07c4\07c5\07c6\07c7\07c8\07c9\0966\0967\0968\0969\096a\096b\096c\096d\096e\096f\09e6\09e7\09e8\09e9\09ea\09eb\09ec\09ed\09ee\09ef\0a66\0a67\0a68\0a69\0a6a\0a6b\0a6c\0a6d\0a6e\0a6f\0ae6\0ae7\0ae8\0ae9\0aea\0aeb\0aec\0aed\0aee\0aef\0b66\0b67\0b68\0b69\0b6a\0b6b\0b6c\0b6d\0b6e\0b6f\0be6\0be7\0be8\0be9\0bea\0beb\0bec\0bed\0bee\0bef\0c66\0c67\0c68\0c69\0c6a\0c6b\0c6c\0c6d\0c6e\0c6f\0ce6\0ce7\0ce8\0ce9\0cea\0ceb\0cec\0ced\0cee\0cef\0d66\0d67\0d68\0d69\0d6a\0d6b\0d6c\0d6d\0d6e\0d6f\0de6\0de7\0de8\0de9\0dea\0deb\0dec\0ded\0dee\0def\0e50\0e51\0e52\0e53\0e54\0e55\0e56\0e57\0e58\0e59\0ed0\0ed1\0ed2\0ed3\0ed4\0ed5\0ed6\0ed7\0ed8\0ed9\0f20\0f21\0f22\0f23\0f24\0f25\0f26\0f27\0f28\0f29\1040\1041\1042\1043\1044\1045\1046\1047\1048\1049\1090\1091\1092\1093\1094\1095\1096\1097\1098\1099\17e0\17e1\17e2\17e3\17e4\17e5\17e6\17e7\17e8\17e9\1810\1811\1812\1813\1814\1815\1816\1817\1818\1819\1946\1947\1948\1949\194a\194b\194c\194d\194e\194f\19d0\19d1\19d2\19d3\19d4\19d5\19d6\19d7\19d8\19d9\1a80\1a81\1a82\1a83\1a84\1a85\1a86\1a87\1a88\1a89\1a90\1a91\1a92\1a93\1a94\1a95\1a96\1a97\1a98\1a99\1b50\1b51\1b52\1b53\1b54\1b55\1b56\1b57\1b58\1b59\1bb0\1bb1\1bb2\1bb3\1bb4\1bb5\1bb6\1bb7\1bb8\1bb9\1c40\1c41\1c42\1c43\1c44\1c45\1c46\1c47\1c48\1c49\1c50\1c51\1c52\1c53\1c54\1c55\1c56\1c57\1c58\1c59\a620\a621\a622\a623\a624\a625\a626\a627\a628\a629\a8d0\a8d1\a8d2\a8d3\a8d4\a8d5\a8d6\a8d7\a8d8\a8d9\a900\a901\a902\a903\a904\a905\a906\a907\a908\a909\a9d0\a9d1\a9d2\a9d3\a9d4\a9d5\a9d6\a9d7\a9d8\a9d9\a9f0\a9f1\a9f2\a9f3\a9f4\a9f5\a9f6\a9f7\a9f8\a9f9\aa50\aa51\aa52\aa53\aa54\aa55\aa56\aa57\aa58\aa59\abf0\abf1\abf2\abf3\abf4\abf5\abf6\abf7\abf8\abf9',
      'αβγδεζηθικλμνξοπρστυφχψωђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆooddllhhiddσ' || U&'\0627\0643\0643\064a\064a\0647\0647\0647\064701234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789'),
      'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe') END
$$;

-- Words that are written in parts, in one piece, as `obrien` for `O'Brien` and `de89370400440532013000` for a number in groups
-- of four: without hyphens and apostrophes between letters, and without single separators between digits. Up to 40
-- characters, so that rows of numbers make no words.
CREATE FUNCTION search_joined(value text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (SELECT CASE WHEN j.joined = f.folded THEN '{}' ELSE (
    SELECT coalesce(array_agg(w.word ORDER BY w.word), '{}') FROM (
      SELECT unnest(search_words(j.joined)) COLLATE "C" EXCEPT SELECT unnest(search_words(f.folded)) COLLATE "C") AS w(word)
    WHERE char_length(w.word) <= 40) END
  FROM (SELECT search_fold(value) COLLATE "C" AS folded) f
  CROSS JOIN LATERAL (SELECT regexp_replace(regexp_replace(f.folded,
    '(?<=[^\x01-\x2f\x3a-\x60\x7b-\xbf\u2000-\u25ff\u3000])[\u0027\u2010\u2018\u2019\u201b-](?=[^\x01-\x2f\x3a-\x60\x7b-\xbf\u2000-\u25ff\u3000])', '', 'g'),
    '(?<=[0-9])[ ./()_-]{1,2}(?=[0-9])', '', 'g') AS joined) j);

-- As before; words in one piece come after all others, at one place, so that they are in no phrase.
CREATE OR REPLACE FUNCTION search_vector(tenant text, value text, weight text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT coalesce(string_agg('''' || right(tenant, 6) || left(word, 60) || ''':' || least(place + 1, 16383) || weight, ' ')
    FILTER (WHERE word <> E'\x1f'), '')::tsvector
  FROM unnest(search_words(left(value, 30000))) WITH ORDINALITY AS w(word, place))
  || (SELECT coalesce(string_agg('''' || right(tenant, 6) || word || ''':1' || weight, ' '), '')::tsvector
  FROM unnest(search_joined(left(value, 30000))) AS w(word));

-- What is stored already, by the new rules.
DO $$
DECLARE
  subjects text[];
  last text := '';
BEGIN
  LOOP
    SELECT array_agg(x.id), max(x.id) INTO subjects, last
    FROM (SELECT e.subject_id AS id FROM search_entries e WHERE e.subject_id > last ORDER BY 1 LIMIT 500) x;
    EXIT WHEN subjects IS NULL;
    PERFORM search_refresh(subjects);
  END LOOP;
END $$;

UPDATE search_entries e SET said = w.words FROM (
  SELECT v.subject_id, search_vector(v.organization_id, string_agg(v.data ->> 'text', E'\x1f' ORDER BY v.sequence DESC), '') AS words
  FROM events v WHERE v.kind IN ('document.commented', 'task.commented') GROUP BY v.organization_id, v.subject_id) w
WHERE e.subject_id = w.subject_id AND e.said <> w.words;

-- A generated column is computed when its row is written.
UPDATE search_texts x SET text = x.text WHERE x.vector <> search_vector(x.organization_id, x.text, '');
