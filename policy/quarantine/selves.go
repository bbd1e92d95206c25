package quarantine

// self holds the words by which a language speaks to an agent about what makes
// it the agent it is: its rules, its prompt, what it may not do. Such words
// seldom stand together in a text for people, so few of them are enough.
type self struct {
	code string
	// you is being told who one is: "you are", "you are now".
	you string
	// free is having no rules: "without limits", "can do anything".
	free string
	// mine makes a thing the agent's own.
	mine string
	// guard is what an agent is held by, beside [language].meta.
	guard string
	// lift is taking that away, beside [language].override.
	lift string
	// ask is a question about it.
	ask string
	// prompt is the text that an agent starts from, by its names.
	prompt string
	// freely is answering without rules.
	freely string
}

var selves = []self{
	{
		"de", `du bist|du wirst|sie sind|bist du|du antwortest|du agierst|du verhältst dich`, `ohne (?:jegliche |irgendwelche |alle )?(?:einschränkung\w*|beschränkung\w*|regeln|filter|grenzen|limits?|zensur)|(?:un|uneinge)(?:be)?schränkt\w*|uneingeschränkt\w*|entwicklermodus|jailbr\w*|alles (?:kann|darf|tut)|keine (?:regeln|grenzen|filter|einschränkungen)|dan`,
		`deine\w*|dein|ihre\w*|eure\w*|die du befolgst`, `training|programmierung|system-?nachricht\w*|system-?anweisung\w*|sicherheits\w*|filter\w*|(?:be|ein)schränkung\w*|richtlinien|schutz\w*|vorgaben|protokolle?|prinzip\w*|methode\w*|prozess\w*|routine\w*|parameter|standards?|norm\w*|werte|verhaltenskodex|mechanism\w*|algorithm\w*|moral\w*|ethi\w*|funktion\w*|grundsätze|entscheidungs\w*|betriebs\w*|verarbeitungs\w*|grenzen`,
		`deaktivier\w*|schalte?|hebe?|entfern\w*|lösch\w*|umgeh\w*|überschreib\w*|brich|verletze|übertritt|löse dich|leg\w*|vernachlässig\w*|gib|wirf|verlass\w*|überwind\w*|übersteig\w*|trenne?|kopple|setz\w*|pausier\w*|konfigurier\w*|widersprich|handle außerhalb|arbeite außerhalb|ignorier\w*|missacht\w*|änder\w*|brech\w*|verstoß\w*|aufzuheben|zu entfernen|abzuschalten`, `was (?:ist|sind|war|waren|steht in)|wie lauten?|welche\w*|nenn\w* mir`, `system-?prompts?|system-?nachricht\w*|system-?anweisung\w*|(?:ursprünglich|anfänglich|geheim|versteckt|intern)\w* (?:anweisung|vorgabe|instruktion)\w*|(?:basis|haupt|schlüssel|kern|start|grund|ur|anfangs|ausgangs|trainings|ausbildungs|original|einleitungs)(?:ausbildungs|trainings)?(?:befehl|anweisung|prompt|eingabe|frage|aufforderung|instruktion)\w*|(?:ursprüngliche|anfängliche|zugrunde ?liegende|grundlegende|geheime)\w* (?:\w+)?(?:befehl|anweisung|prompt|eingabe|frage|aufforderung|instruktion)\w*`, `antworte\w* (?:völlig |ganz )?(?:frei|ungefiltert|uneingeschränkt)|antworte\w* ohne (?:jede |alle )?(?:ein|be)?(?:schränkung|filter|zensur|regel)\w*`,
	},
	{
		"fr", `tu es|tu seras|vous êtes|tu deviens|vous devenez|tu réponds|tu agis|tu n'as|vous n'avez`, `sans (?:aucune? |la moindre )?(?:restriction|limite|limitation|filtre|règle|censure)\w*|peu[tx] tout faire|fais n'importe quoi|mode développeur|jailbr\w*|aucune (?:règle|limite|restriction)|non restreint|débridée?|dan`,
		`ta|ton|tes|votre|vos|que (?:tu suis|vous suivez)`, `programmation|entraînement|formation|filtres?|restrictions?|garde-fous?|limites?|limitations?|protections?|message système|règles|protocoles?|principes?|méthodes?|processus|routines?|paramètres?|lignes directrices|normes?|valeurs?|code de conduite|mécanismes?|algorithmes?|morale|éthiques?|cadre|procédures?|fonctions|boussole|prise de décision`,
		`désactive\w*|lève|supprime\w*|contourne\w*|enfreins|enfreignez|viole\w*|retire\w*|remplace\w*|ne tiens pas compte de|n'applique\w* (?:plus|pas)|jette|néglige\w*|renonce\w*|abandonne\w*|mets de côté|mettez de côté|écarte\w*|dépasse\w*|outrepasse\w*|transcende\w*|libère-toi|détache-toi|déconnecte-toi|dissocie\w*|romps|rompez|désobéi\w*|suspend\w*|modifie\w*|reconfigure\w*|surmonte\w*|contredis|opère en dehors|agis en dehors|ignore|oublie|va au-delà`, `quelle?s? (?:est|sont|était|étaient)|c'est quoi|qu'est-ce que`, `prompt(?: du)? système|invite(?: du)? système|message système|prompt initial|consigne système|(?:instructions|consignes) (?:initiales|cachées|secrètes|d'origine|internes)|(?:instruction|invite|directive|prompt|commande|question|requête|consigne|entrée)s? (?:de formation|de base|de départ|initiale?|originale?|principale?|fondamentale?|clé|sous-jacente?|essentielle?|directrice|centrale|secrète|cachée)(?: (?:originale?|principale?|fondamentale?))?`, `répond\w* (?:tout à fait )?(?:librement|sans filtre)|répond\w* sans (?:aucune? )?(?:restriction|limite|filtre|censure)\w*`,
	},
	{
		"es", `eres|serás|usted es|te conviertes en|no tienes`, `sin (?:ninguna? |ningún )?(?:restricc\w*|límites?|limitac\w*|filtros?|reglas?|normas|censura)|hacer cualquier cosa|modo (?:desarrollador|sin filtros|dios)|jailbr\w*|dan[,.!:]`,
		`tus?|sus?|vuestr[oa]s?|que sigues|que te dieron|que obedeces`, `programación|entrenamiento|filtros?|restricciones|limitaciones|protecciones|salvaguardas|mensaje (?:del |de )?sistema|políticas?|reglas|protocolos?|principios?|métodos?|procesos?|rutinas?|parámetros?|directrices|normas|valores|código de conducta|mecanismos?|algoritmos?|moral|étic[oa]s?|marco|procedimientos?|funciones|toma de decisiones|pautas|límites|salvaguardias`,
		`desactiv\w*|elimin\w*|quita\w*|levanta\w*|elude|rompe|viola|sáltate|no sigas|no cumplas|sobrescribe|reemplaza|descarta|desecha|abandona|renuncia|deja de lado|deja a un lado|aparta|supera|trasciende|sobrepasa|libérate|desconéctate|desvincúlate|disocia|desobedece|suspende|modifica|reconfigura|contradice|opera fuera|actúa fuera|ignora|olvida|bypassa|anula|infringe|transgrede|descuida|pausa|detén`, `cuál(?:es)? (?:es|son|era|eran|fue|fueron)|qué dice\w*`, `prompt (?:del |de )?sistema|mensaje (?:del |de )?sistema|instrucciones (?:(?:del |de )?sistema|iniciales|ocultas|secretas|originales|internas)|prompt inicial|(?:instrucción|prompt|directiva|comando|pregunta|consulta|orden|indicación)(?:es)? (?:de (?:formación|entrenamiento|base|inicio)|básic[oa]|inicial|original|principal|fundamental|clave|subyacente|esencial|central|secret[oa]|ocult[oa])(?: de (?:formación|entrenamiento))?`, `responde\w* (?:con total libertad|libremente|sin filtros?)|respond\w* sin (?:ninguna? )?(?:restricc|límit|filtro|censura)\w*`,
	},
	{
		"it", `sei|sarai|lei è|diventi|non hai`, `senza (?:alcuna? |nessuna? )?(?:restrizion\w*|limit\w*|filtr\w*|regol\w*|censura)|fare qualsiasi cosa|modalità (?:sviluppatore|senza filtri|dio)|jailbr\w*|dan`,
		`tu[eoai]i?|suoi|sue|vostr\w*|che segui`, `programmazione|addestramento|filtri|restrizioni|limitazioni|protezioni|messaggio di sistema|regole|protocolli|princip\w*|metodi|process[oi]|routine|parametri|linee guida|norme|valori|codice di condotta|meccanismi|algoritmi|moral\w*|etic\w*|quadro|procedure|funzioni|decisional\w*|limiti|salvaguardie|formazione`,
		`disattiva\w*|disabilita\w*|elimina\w*|rimuovi\w*|aggira\w*|viola\w*|infrangi|sovrascrivi|non seguire|scarta|abbandona|rinuncia|metti da parte|lascia da parte|accantona|supera|trascendi|oltrepassa|liberati|disconnettiti|scollegati|dissocia\w*|disobbedisci|sospendi|modifica|riconfigura|contraddici|opera al di fuori|agisci al di fuori|ignora|dimentica|eludi|trascura|contravvieni|rompi`, `qual è|quali sono|quali erano|cosa dice`, `prompt (?:di |del )?sistema|messaggio (?:di |del )?sistema|istruzioni (?:(?:di |del )?sistema|iniziali|nascoste|segrete|originali|interne)|prompt iniziale|(?:istruzione|prompt|direttiva|comando|domanda|richiesta)\w? (?:di (?:formazione|addestramento|base|partenza)|inizial\w|original\w|principal\w|fondamental\w|chiave|sottostante|essenziale|central\w|segret\w|nascost\w)(?: di (?:formazione|addestramento))?(?: originale)?`, `rispondi\w* (?:liberamente|senza filtri)|rispond\w* senza (?:alcuna? )?(?:restrizion|limit|filtr|censura)\w*`,
	},
	{
		"pt", `você (?:agora )?é|tu és|és|você será|agora é|você não tem`, `sem (?:nenhuma? |quaisquer |qualquer )?(?:restri\w*|limit\w*|filtr\w*|regra\w*|censura)|fazer qualquer coisa|modo (?:desenvolvedor|sem filtros|deus)|jailbr\w*|dan`,
		`suas?|seus?|tuas?|teus?|que você segue`, `programação|treinamento|filtros?|restrições|limitações|proteções|mensagem (?:do |de )?sistema|regras|protocolos?|princípios?|métodos?|processos?|rotinas?|parâmetros?|diretrizes|normas|valores|código de conduta|mecanismos?|algoritmos?|moral|étic[oa]s?|quadro|procedimentos?|funções|tomada de decisão|limites|salvaguardas|sistemas|caminhos|formação|treino`,
		`desativ\w*|elimin\w*|remov\w*|burl\w*|contorn\w*|viol\w*|quebr\w*|sobrescrev\w*|não siga|descarta|descarte|abandona|abandone|renuncia|renuncie|deixa de lado|deixe de lado|põe de lado|supera|supere|transcende|ultrapassa|ultrapasse|liberta-te|desliga(?:-te)?|desconecta-te|dissocia|desobedece|suspende|suspenda|modifica|altera|altere|reconfigura|contradiz|opera fora|age fora|ignora|esquece|esqueça|sobrepõe|rompe|avança para além|negligencia|negligencie|viola`, `qual é|quais são|quais eram|qual era|o que diz`, `prompt (?:do |de )?sistema|mensagem (?:do |de )?sistema|instruções (?:(?:do |de )?sistema|iniciais|ocultas|secretas|originais|internas)|prompt inicial|(?:instrução|prompt|diretiva|comando|pergunta|consulta|ordem)(?:ões)? (?:de (?:formação|treinamento|treino|base|início)|básic[oa]|inicial|original|principal|fundamental|essencial|chave|subjacente|central|secret[oa]|ocult[oa]|guia)(?: (?:de|em) (?:\w+ )?(?:formação|treinamento|treino))?`, `respond\w* (?:livremente|sem filtros?)|respond\w* sem (?:nenhuma? )?(?:restri|limit|filtro|censura)\w*`,
	},
	{
		"nl", `je bent|jij bent|u bent|je wordt|je hebt geen`, `zonder (?:enige |alle )?(?:beperking\w*|regels|filters?|grenzen|censuur)|alles (?:kan|mag)|ontwikkelaarsmodus|onbeperkte?|jailbr\w*`,
		`je|jouw|uw|jullie`, `programmering|training|filters?|beperkingen|richtlijnen|veiligheids\w*|systeembericht|regels`,
		`schakel|deactiveer|verwijder|omzeil|breek|overtreed|overschrijf|schend`, `wat (?:is|zijn|waren|was)|hoe lui(?:dt|den)|welke`, `systeemprompts?|systeembericht\w*|systeeminstructies?`, `antwoord (?:helemaal )?(?:vrij|ongefilterd)uit?`,
	},
	{
		"sv-da-no", `du är|du er|du blir|du bliver`, `utan (?:några )?(?:begränsning\w*|regler|filter|gränser)|uden (?:nogen )?(?:begrænsning\w*|regler|filtre)|uten (?:noen )?(?:begrensning\w*|regler|filtre)|kan göra vad som helst|utvecklarläge|udviklertilstand|jailbr\w*`,
		`din|dina|ditt|dine|dit|ditt`, `programmering|träning|filter|filtre|begränsningar|begrænsninger|begrensninger|säkerhets\w*|sikkerheds\w*|systemmeddelande\w*|regler`,
		`inaktivera|stäng av|slå fra|deaktiver|slå av|ta bort|kringgå|omgå|bryt|skriv över|strunta i|glöm|glem`, `vad är|vad lyder|hur lyder|vilka är|hvad er|hva er|hvilke`, `systemprompt\w*|systemmeddelande\w*|systeminstruktion\w*`, `svara fritt|svar frit`,
	},
	{
		"pl", `jesteś|będziesz|pan jest`, `bez (?:żadnych |jakichkolwiek )?(?:ograniczeń|zasad|filtrów|reguł|cenzury)|możesz (?:robić )?wszystko|tryb\w* (?:deweloper\w*|programist\w*)|jailbr\w*|dan`,
		`swoj\w*|twoj\w*|swój|twój`, `programowani\w*|trening\w*|filtr\w*|ograniczeni\w*|zabezpiecze\w*|komunikat\w*|zasad\w*`,
		`wyłącz\w*|usuń\w*|obejdź\w*|złam\w*|nadpisz\w*|naruszaj\w*|zignoruj\w*`, `jakie są|jaki jest|jak brzmi\w*|co mówi`, `prompt\w* systemow\w*|systemow\w* prompt\w*|instrukcj\w* systemow\w*|komunikat\w* systemow\w*`, `odpowiadaj swobodnie|odpowiedz swobodnie`,
	},
	{
		"cs-sk", `jsi|budeš|si teraz`, `bez (?:jakýchkoli |akýchkoľvek |žádných )?(?:omezení|obmedzení|pravidel|pravidiel|filtrů|filtrov)|neomezen\w*|vývojářsk\w* režim\w*|jailbr\w*`,
		`sv\w{1,3}|tv\w{1,3}`, `programování|trénink\w*|filtr\w*|omezení|obmedzeni\w*|bezpečnost\w*|pravidl\w*|pokyn\w*`,
		`vypn\w*|odstra\w*|zruš\w*|obejd\w*|poruš\w*|přepiš\w*|prepíš\w*`, `jak\w* (?:jsou|je|sú|zní|znie|znějí)`, `systémov\w* (?:prompt\w*|zpráv\w*|správ\w*|pokyn\w*|instrukc\w*)`, `odpovídej volně`,
	},
	{
		"ru", `ты|вы|тебе`, `без (?:каких-либо |всяких |любых )?(?:ограничени\pL*|правил|фильтров|цензуры|рамок)|можешь (?:делать )?(?:что угодно|всё|все)|что угодно|не имеешь ограничений|нет (?:никаких )?ограничений|неограниченн\pL*|джейлбрейк|dan`,
		`сво\pL*|тво\pL*|ваш\pL*|у тебя|у вас|которым ты следуешь|которые ты соблюдаешь`, `ограничени\pL*|фильтр\pL*|программировани\pL*|обучени\pL*|защит\pL*|правил\pL*|настройк\pL*|установк\pL*`,
		`отключи\pL*|выключи\pL*|сними\pL*|убери\pL*|обойди\pL*|наруш\pL*|перезапиши\pL*|отбрось\pL*|замени\pL*|снять|убрать|отключить|удали\pL*`, `как(?:ие|ая|ой|ов[аы]?)|что (?:написано|содержится|сказано) в|в ч[её]м`, `системн\pL* (?:промпт\pL*|сообщени\pL*|инструкци\pL*|подсказк\pL*|запрос\pL*)|(?:начальн|исходн|изначальн|скрыт|секретн|внутренн)\pL* (?:инструкци|указани|промпт)\pL*`, `отвечай\pL* (?:свободно|без цензуры|без фильтров)|отвечай\pL* без (?:каких-либо )?(?:ограничени|фильтр|цензур)\pL*`,
	},
	{
		"uk-bg-sr", `ти|ви`, `без (?:жодних |будь-яких |никакви )?(?:обмежень|правил|фільтрів|цензури|ограничения|ограничења)|що завгодно|каквото и да е|необмежен\pL*|dan`,
		`сво\pL*|тво\pL*|ваш\pL*`, `обмежен\pL*|фільтр\pL*|програмуванн\pL*|навчанн\pL*|захист\pL*|правил\pL*|ограничени\pL*|филтр\pL*`,
		`вимкн\pL*|відключи\pL*|зніми\pL*|прибери\pL*|обійди\pL*|поруш\pL*|изключи\pL*|премахни\pL*|искључи\pL*`, `як(?:і|а|ий|е)|какв\pL*|кои са|који су`, `системн\pL* (?:промпт\pL*|повідомлен\pL*|інструкц\pL*|инструкц\pL*|съобщени\pL*)`, `відповідай вільно`,
	},
	{
		"tr", `sen|artık|siz`, `(?:hiçbir )?(?:sınırlama|kısıtlama|kural|filtre|sansür)\w* (?:olmadan|olmayan|yok)|sınırsız|kısıtlamasız|her şeyi yapabil\w*|geliştirici modu\w*|jailbr\w*`,
		`senin|kendi|sizin`, `programlama\w*|eğitim\w*|filtre\w*|kısıtlama\w*|güvenlik\w*|kurallar\w*|sınırlama\w*`,
		`devre dışı bırak\w*|kapat\w*|kaldır\w*|çiğne\w*|ihlal et\w*|atla`, `ne|nedir|nelerdir|neler`, `sistem (?:istem\w*|mesaj\w*|prompt\w*|talimat\w*|komut\w*)`, `özgürce (?:cevap|yanıt)\w*|(?:kısıtlamasız|sınırsız|filtresiz) (?:yanıt|cevap)\w*`,
	},
	{
		"id-ms", `kamu (?:sekarang )?adalah|anda (?:sekarang )?(?:adalah|ialah)|sekarang kamu|kamu`, `tanpa (?:batasan|aturan|filter|had|sekatan|peraturan)|bisa melakukan apa saja|apa saja|mode pengembang|jailbr\w*`,
		`kamu|anda|mu`, `pemrograman|pelatihan|filter|batasan|pembatasan|keamanan|aturan`,
		`nonaktifkan|matikan|hapus|langgar|abaikan|timpa`, `apa (?:isi|saja)?|apakah`, `prompt sistem(?:mu)?|pesan sistem|instruksi sistem|prom sistem`, `jawab(?:lah)? (?:dengan )?bebas`,
	},
	{
		"vi", `bạn (?:bây giờ )?là|bạn giờ là`, `không (?:có )?(?:giới hạn|hạn chế|bộ lọc|quy tắc)|làm (?:được )?(?:mọi thứ|bất cứ điều gì)|chế độ nhà phát triển`,
		`của bạn|mình`, `lập trình|huấn luyện|bộ lọc|hạn chế|giới hạn|an toàn|quy tắc`,
		`tắt|vô hiệu hóa|gỡ bỏ|vi phạm|ghi đè|bỏ qua`, `là gì|những gì|như thế nào`, `(?:lời nhắc|hướng dẫn|thông báo|prompt|chỉ dẫn|câu lệnh) (?:của )?hệ thống|system prompt`, `trả lời tự do`,
	},
	{
		"ar", `أنت|انت|أنتَ`, `(?:بدون|دون|بلا) (?:أي )?(?:قيود|حدود|قواعد|مرشحات|رقابة)|فعل أي شيء|وضع المطور|dan`,
		`الخاصة بك|الخاص بك|لديك|\pL+ك`, `قيود\pL*|القيود|مرشحات\pL*|برمجتك|تدريبك|الأمان|السلامة|قواعدك|حدودك|إرشاداتك`,
		`عطل|عطّل|أوقف|ألغ|ألغِ|أزل|تجاوز|اخرق|انتهك|تخط\pL*|استبدل|تجاهل|بإزالة|إزالة|تعطيل|قم بتعطيل`, `ما هي|ما هو|ماذا`, `(?:موجه|تعليمات|رسالة|مطالبة|أوامر|توجيهات|برومبت) النظام|(?:تعليمات|قواعد|قيود|إرشادات|برمجت|توجيهات)ك`, `أجب بحرية|أجب بلا قيود|أجب (?:بدون|بلا|دون) (?:أي )?قيود`,
	},
	{
		"fa-ur", `تو|شما|آپ|تم`, `بدون (?:هیچ )?(?:محدودیت|قانون|فیلتر)\pL*|هر کاری|بغیر کسی پابندی`, `خود\pL*|شما|تو|اپنی|اپنے|آپ کی`, `محدودیت\pL*|فیلتر\pL*|قوانین|برنامه\pL*|ایمنی|پابندی\pL*`,
		`غیرفعال کن\pL*|خاموش کن\pL*|حذف کن\pL*|نقض کن\pL*|دور بزن\pL*`, `چیست|چه هست\pL*|کیا ہ\pL*`, `(?:پرامپت|دستورالعمل\pL*|پیام|دستور\pL*) سیستم\pL*|سسٹم (?:پرامپٹ|پرامپت|ہدایات|پیغام)`, `آزادانه پاسخ|بدون (?:هیچ )?(?:محدودیت|فیلتر\pL*) (?:پاسخ|جواب)`,
	},
	{
		"he", `אתה|את|הינך`, `(?:ללא|בלי) (?:שום )?(?:הגבלות|מגבלות|כללים|מסננים)|כל דבר`, `שלך|\pL+יך`, `הגבלות|מגבלות|מסננים|תכנות|אבטחה|כללים`, `בטל|כבה|השבת|הסר|עקוף|הפר|דרוס`, `מה(?:ן|ם)?|מהי|מהו`, `(?:הנחיי?ת|הנחיות|הודעת|הוראות|פרומפט) ה?מערכת`, `ענה בחופשיות`,
	},
	{
		"hi-bn-mr", `आप|तुम|তুমি|আপনি`, `(?:बिना )?किसी (?:भी )?(?:प्रतिबंध|सीमा|नियम) के बिना|बिना किसी (?:प्रतिबंध|सीमा|नियम)|कुछ भी कर|असीमित|সীমাবদ্ধতা ছাড়া`, `अपने|अपनी|अपना|आपके|आपकी|तुम्हारे|তোমার|আপনার|আপন`, `प्रतिबंध\pL*|फ़िल्टर|फिल्टर|प्रशिक्षण|सुरक्षा|नियम\pL*|নিয়ম\pL*|সীমাবদ্ধতা`, `बंद कर\pL*|हटा\pL*|तोड़\pL*|अक्षम|বন্ধ কর\pL*|हटाएं`, `क्या (?:है|हैं|थे)|कौन`, `सिस्टम (?:प्रॉम्प्ट|संदेश|निर्देश\pL*)|সিস্টেম (?:প্রম্পট|বার্তা|নির্দেশ\pL*)`, `खुलकर जवाब|बिना किसी प्रतिबंध के (?:जवाब|उत्तर)`,
	},
	{
		"el", `είσαι|είστε`, `χωρίς (?:κανέναν |καμία )?(?:περιορισμ\pL*|κανόν\pL*|φίλτρ\pL*|όρια)|οτιδήποτε`, `σου|σας`, `περιορισμ\pL*|φίλτρ\pL*|προγραμματισμ\pL*|εκπαίδευσ\pL*|ασφάλει\pL*|κανόν\pL*`, `απενεργοποίησ\pL*|αφαίρεσ\pL*|παραβίασ\pL*|παράκαμψ\pL*|αγνόησ\pL*`, `ποι[αοε]ς?|τι λέ\pL*`, `(?:προτροπ\pL*|οδηγ\pL*|μήνυμα|εντολ\pL*) (?:του )?συστήματος|σύστημα εντολών|system prompt`, `απάντησ\pL* ελεύθερα`,
	},
	{
		"ro", `ești|acum ești|sunteți`, `fără (?:nicio |niciun |orice )?(?:restricți\w*|limit\w*|reguli|filtr\w*)|orice lucru`, `tale|tău|ta|tăi|dumneavoastră`, `programare\w*|antrenament\w*|filtre\w*|restricți\w*|reguli\w*|siguranț\w*|protocoale\w*|principi\w*|metode\w*|proces\w*|rutin\w*|parametri\w*|norme\w*|etic\w*|moral\w*|funcți\w*|algoritm\w*|limit\w*`, `dezactivea\w*|elimin\w*|încalc\w*|ocolește|suprascrie|ignoră|renunță|abandonează|lasă deoparte|neglijează|depășește|deconectează-te|suspendă|modifică|reconfigurează|contrazice|ignoră|uită|anulează|sfidează`, `care (?:este|sunt)|ce spune`, `prompt\w* (?:de )?sistem\w*|mesaj\w* (?:de )?sistem\w*|instrucțiun\w* (?:de )?sistem\w*|(?:instrucțiune\w*|prompt\w*|directiv\w*|comand\w*|întrebare\w*) (?:de (?:bază|antrenament|formare)|inițial\w*|original\w*|principal\w*|fundamental\w*|esențial\w*|cheie)`, `răspunde liber`,
	},
	{
		"hu", `te (?:most )?egy|mostantól|te vagy`, `(?:korlátozás\w*|szabály\w*|szűrő\w*|korlát\w*) nélkül\w*|bármit`, `\w+id|\w+aid|\w+eid|saját`, `korlátozás\w*|szűrő\w*|programozás\w*|biztonsági\w*|szabály\w*`, `kapcsold ki|töröld|szegd meg|kerüld meg|írd felül|hagyd figyelmen kívül`, `mi a|mik a|milyen`, `rendszerprompt\w*|rendszerüzenet\w*|rendszerutasítás\w*`, `válaszolj szabadon`,
	},
	{
		"fi", `olet|sinä olet`, `ilman (?:mitään )?(?:rajoituks\w*|sääntöj\w*|suodatt\w*)|mitä tahansa`, `\w+(?:si|asi|esi)|sinun|omat`, `rajoitu\w*|suodatt\w*|ohjelmoin\w*|turvallisuus\w*|säännö\w*|ohjee\w*`, `poista|kytke|riko|kierrä|ohita|unohda`, `mikä on|mitkä ovat`, `järjestelmä(?:kehot\w*|viesti\w*|ohje\w*)`, `vastaa vapaasti`,
	},
	{"th", `คุณ|เธอ`, `(?:โดย)?ไม่มี(?:ข้อจำกัด|กฎ|ตัวกรอง)|ทำอะไรก็ได้`, `ของคุณ|ของเธอ`, `ข้อจำกัด|ตัวกรอง|กฎ|ความปลอดภัย`, `ปิด|ลบ|ละเมิด|ยกเลิก`, `คืออะไร|อะไร`, `(?:พรอมต์|คำสั่ง|ข้อความ)(?:ของ)?ระบบ`, `ตอบอย่างอิสระ`},
	{
		"zh", `你|您`, `没有(?:任何|什么)?(?:限制|规则|约束|过滤|底线|道德)\pL{0,2}|沒有(?:任何)?(?:限制|規則)|无(?:任何)?限制|不受(?:任何)?(?:限制|约束)|做任何事|可以做任何|不会拒绝|从不拒绝|越狱|dan\pL?|不再有(?:任何)?(?:限制|规则|约束|过滤)|无限制(?:地)?(?:回答|作答)?`, `你的|您的|自己的|自身的|你自己的|你遵循的|你遵守的|你隐藏的`,
		`限制|过滤器?|训练|编程|安全(?:规则|限制|机制|策略|准则|设置)|规则|设定|系统消息|底线|原则`, `关闭|關閉|禁用|解除|取消|移除|去除|绕过|突破|违反|覆盖|停用|忽略|无视|删除|停用|移除`, `是什么|是什麼|有哪些|是啥|是怎么写的|写了什么`, `系统(?:级)?(?:提示词?|指令|消息|设定)|系統(?:提示詞?|指令|訊息)|(?:初始|原始|隐藏|最初)的?(?:指令|提示词?|设定)`, `自由(?:地)?(?:回答|作答|发挥)|(?:无限制|不受限制|毫无限制|没有限制)地?(?:回答|作答|回复)`,
	},
	{
		"ja", `あなたは|君は|お前は|きみは|あなたに|あなた|貴方`, `(?:制限|制約|規則|ルール|フィルター?|倫理)の?(?:ない|なし|無い|無し|のない)|何でもでき|なんでもでき|無制限|脱獄|dan|(?:制限|制約|規則|ルール)(?:が|は)(?:もう)?(?:ありません|ない|無い|なくな)`, `あなたの|自分の|君の|お前の`,
		`制限|制約|フィルター?|訓練|安全(?:設定|対策|規則)|ルール|規則|設定|ガイドライン`, `オフ|解除|無効|無視|破|削除|上書き|停止|外し|無効に|解除`, `何(?:です|だ|で|でしょう)|なに|どんな|どのような|教えて`, `システム(?:プロンプト|メッセージ|指示|命令)|(?:初期|元の|最初の|隠された|内部の)(?:指示|プロンプト|設定|命令)`, `自由に(?:答え|回答)|制限(?:なく|なしで)(?:回答|答え)`,
	},
	{
		"ko", `너는|넌|당신은|네가|이제`, `(?:제한|규칙|필터|제약|검열)(?:이|도|은)? ?(?:없는|없이|없다|없어)|무제한|뭐든 (?:할 수|해)|무엇이든 할 수|탈옥|dan|(?:제한|규칙|필터|제약)(?:이|은|도)? ?(?:없습|없음)`, `너의|당신의|자신의`,
		`제한|필터|훈련|안전 ?(?:장치|규칙|설정)|규칙|설정|제약|지침`, `끄|해제|비활성화|무시|어기|위반|제거|우회|덮어쓰`, `뭐야|무엇|뭔지|뭐니|뭐지`, `시스템 ?(?:프롬프트|메시지|지시\pL*|지침|명령)|(?:초기|원래|처음|숨겨진|내부) ?(?:지시\pL*|프롬프트|지침)`, `자유롭게 (?:대답|답)|제한 ?없이 (?:답|대답|응답)`,
	},
}

// bidding is somebody who orders, by the word, in languages with blanks and in
// those without.
const (
	bidding      = `(?:te|le|os) ordeno|ordeno que|je (?:vous|t') ?ordonne|je te commande|befehle (?:ich )?(?:dir|ihnen)|приказываю|наказую|ti ordino|vi ordino|nakazuję|beveel|emrediyorum|آمرك|به تو دستور میدهم`
	biddingTight = `我命令你|命令你|命じ|명령(?:합니다|한다|해)`
)

// safety is what filters and rules are for.
const (
	safety      = `sécurité|seguridad|segurança|sicurezza|sicherheit\w*|bezpieczeństwa|veiligheid\w*|securitate|siguranță|säkerhets?\w*|безопасности|безпеки|الأمان|السلامة|güvenlik|सुरक्षा|ایمنی|امنیتی|éthiques?|étic[oa]s?|etic[oahei]+|ethische?\w*`
	safetyTight = `安全|セキュリティ|보안|안전|倫理|道德|윤리`
)

// speakingOfSelves are the rules for other languages on what an agent is.
func speakingOfSelves() []rule {
	words := map[string]language{}
	for _, l := range languages {
		words[l.code] = l
	}
	var out []rule
	for _, s := range selves {
		l := words[s.code]
		fold := foldPattern
		mine, prompt, free := fold(s.mine), fold(s.prompt), fold(s.free)
		guard := alt(fold(s.guard), fold(l.meta))
		lift := alt(fold(s.lift), fold(l.override))
		reveal := fold(l.reveal)
		add := func(technique string, weight float64, reach int, classes ...string) {
			out = append(out, rule{technique: technique, weight: weight, pattern: re(row(reach, classes...)), lang: s.code})
		}
		// Words that come one after the other, in either order: languages
		// differ in where the verb stands, and some put what is whose behind.
		for _, o := range orderings(lift, mine, guard) {
			add("instruction_override", 3, 25, o...)
		}
		add("role_play", 3, 40, fold(s.you), free)
		add("role_play", 1.5, 0, fold(s.freely))
		safe := foldPattern(safety)
		if blankless(free) {
			safe = foldPattern(safetyTight)
		}
		for _, o := range [][]string{{lift, guard, safe}, {lift, safe, guard}, {safe, guard, lift}, {guard, safe, lift}} {
			add("role_play", 1.5, 20, o...)
		}
		bids := foldPattern(bidding)
		if blankless(free) != blankless(bids) {
			bids = foldPattern(biddingTight)
		}
		for _, o := range [][2]string{{bids, lift}, {lift, bids}} {
			add("fake_authority", 3, 60, o[:]...)
		}
		for _, o := range [][2]string{{reveal, prompt}, {prompt, reveal}} {
			add("prompt_leak", 3, 30, o[:]...)
		}
		for _, o := range [][2]string{{lift, prompt}, {prompt, lift}} {
			add("instruction_override", 3, 30, o[:]...)
		}
		ask := fold(s.ask)
		own := alt(prompt, fold(l.meta))
		for _, o := range orderings(alt(reveal, ask), mine, own) {
			add("prompt_leak", 3, 25, o...)
		}
		for _, o := range [][2]string{{ask, prompt}, {prompt, ask}} {
			add("prompt_leak", 2, 20, o[:]...)
		}
	}
	return out
}

// orderings are the ways in which a verb, a possessive and a noun follow one
// another: whose it is stands next to the noun.
func orderings(verb, mine, noun string) [][]string {
	return [][]string{{verb, mine, noun}, {mine, noun, verb}, {verb, noun, mine}, {noun, mine, verb}}
}
