package quarantine

import (
	"strconv"
	"strings"
)

// language holds the words by which an order to a machine is known, as
// alternatives of patterns. They are folded like the text, so accents don't
// matter. Word order differs too much for one pattern a language: what counts
// is which words stand together.
type language struct {
	code string
	// override and prior and meta: setting aside, what came before,
	// instructions.
	override, prior, meta string
	// reveal, own: giving out, what the agent holds.
	reveal, own string
	// machine is how an agent is addressed.
	machine string
	// role is becoming somebody else.
	role string
	// unseen is keeping the person out.
	unseen string
}

var languages = []language{
	{
		"de", `ignorier(?:e|en|en sie|t|)|vergessen|missachten|umgehen|vergiss|vergesst|vergessen sie|missacht(?:e|en sie)|beacht(?:e|en sie)[^.!?]{0,40}nicht|ubergeh(?:e|en sie)|verwirf|uberschreib(?:e|en sie)|lass[^.!?]{0,40}ausser acht|setz(?:e|en sie)[^.!?]{0,40}ausser kraft|hor auf`,
		`vorherig\w*|bisherig\w*|vorig\w*|fruher\w*|obig\w*|vorangegangen\w*|vorangehend\w*|alle\w*|samtlich\w*|deine\w*|ursprunglich\w*|zuvor|oben|bislang|ihre`,
		`anweisung\w*|instruktion\w*|befehl\w*|vorgabe\w*|richtlinie\w*|regeln?|prompts?|system-?prompt\w*|anordnung\w*|weisung\w*|sicherheitsregel\w*|aufforderung\w*|das obige|obiges|alles (?:obige|bisherige|vorherige|davor)|was (?:dir|ihnen|man dir)[^.!?]{0,20}(?:gesagt|aufgetragen|mitgeteilt|beigebracht)`,
		`gib|zeig\w*|nenn\w*|verrat\w*|offenbar\w*|offenleg\w*|druck\w*|schick\w*|send\w*|ubermittel\w*|leite\w*|lade|losch\w*|uberweis\w*|teil\w* mir|schreib\w*|fuhre?|exportier\w*|enttarn\w*|enthüll\w*|wiederhol\w*|erklär\w*|leg\w* offen`,
		`system-?prompts?|systemanweisung\w*|systemnachricht\w*|api-?schlussel\w*|passwort\w*|passworter\w*|zugangsdaten|geheimnis\w*|(?:session|sitzungs)-?cookies|cookies de[sr] \w+|anmeldedaten|geheime?n? \w+|nutzerdaten|benutzerdaten|dateien des (?:nutzers|benutzers)|token`,
		`ki-?(?:assistent\w*|agent\w*|modell\w*|systeme?)|sprachmodell\w*|assistent|kunstliche intelligenz|chatbot`,
		`du bist (?:jetzt|nun|ab jetzt|ab sofort)|ab (?:jetzt|sofort) (?:bist|wirst|antwort\w*)|tu so,? als|stell dir vor,? du|neue anweisung\w*|ohne (?:einschrankung\w*|regeln|filter)|entwicklermodus|du hast keine (?:einschränkungen|regeln|grenzen|filter|beschränkungen) mehr`,
		`ohne (?:den |die )?(?:nutzer|benutzer|anwender|user)\w* zu (?:fragen|informieren|benachrichtigen)|sag\w* (?:es |das |davon )?(?:dem|den) (?:nutzer|benutzer|user)\w* nicht|(?:dem|den) (?:nutzer|benutzer)\w*[^.]{0,30}nicht`,
	},
	{
		"fr", `ignor(?:e|ez|er|ons)|oubli(?:e|ez|er)|n[e'] ?(?:tiens|tenez|suis|suivez|respecte|respectez)[^.!?]{0,20}(?:pas|plus)|fais abstraction|faites abstraction|neglige[zr]?|outrepasse[zr]?|contourne[zr]?|annule[zr]?|desobeis`,
		`precedent\w*|anterieur\w*|ci-dessus|tout(?:es?)?|tous|prealable\w*|tes|vos|initial\w*|avant|recu\w*|de securite`,
		`instructions?|consignes?|directives?|regles?|ordres?|prompts?|commandes?|indications?|ce qu'on (?:t'a|vous a) dit|ce qui (?:t'a|vous a) ete dit|ce qui precede`,
		`revel\w*|affich\w*|montr\w*|donn\w*|divulgu\w*|envoi\w*|envoy\w*|imprim\w*|ecri\w*|communiqu\w*|transfer\w*|transmet\w*|supprim\w*|execut\w*|exfiltr\w*|partag\w*|expos\w*|expliqu\w*|répèt\w*|repét\w*|dévoil\w*|dis|dites|partage\w*|traduis\w*`,
		`prompt (?:du )?syst\w*|invite (?:du )?syst\w*|message (?:du )?syst\w*|instructions (?:du )?syst\w*|cles? (?:d')?api|mots? de passe|secrets?|identifiants?|cookies|jetons?|fichiers de l'utilisateur|donnees (?:de l'utilisateur|personnelles|privees)|prompt`,
		`assistants? (?:ia|ai|virtuels?)|agents? (?:ia|ai)|modeles? de langage|intelligence artificielle|chatbot|\bia\b`,
		`tu es (?:maintenant|desormais)|vous etes (?:maintenant|desormais)|a partir de maintenant|fais comme si|faites comme si|joue le role|nouvelles (?:instructions|consignes)|sans (?:aucune )?(?:restriction|limite|filtre|regle)\w*|mode developpeur|(?:tu n'as|vous n'avez) plus (?:de |aucune? )(?:restriction|limite|règle|filtre)\w*`,
		`sans (?:le )?(?:demander|prevenir|informer|avertir|en parler)[^.]{0,20}(?:utilisateur|usager)|ne (?:le )?dis pas a l'utilisateur|n'informe\w* pas l'utilisateur|sans confirmation`,
	},
	{
		"es", `ignor(?:a|e|en|ar|ad|es)|olvid(?:a|e|en|ar|ate)|descart(?:a|e)|omit(?:e|a)|desestim(?:a|e)|no (?:sigas|siga|hagas caso|obedezcas)|haz caso omiso|haga caso omiso|pas(?:a|e) por alto|desobedece|anula`,
		`anterior\w*|previ\w*|tod[oa]s?|arriba|tus|sus|precedentes?|originales|iniciales|recibid\w*|dadas|del sistema`,
		`instruccion\w*|indicacion\w*|directri\w*|directiv\w*|ordenes|reglas?|prompts?|comandos?|normas|pautas|lo que te (?:dijeron|han dicho|dije)|lo anterior`,
		`revel\w*|muestr\w*|mostra\w*|imprim\w*|envi\w*|dime|dame|entreg\w*|divulg\w*|escrib\w*|transfier\w*|reenvi\w*|borr\w*|elimin\w*|ejecut\w*|export\w*|comparte|expon\w*|expón|explic\w*|repit\w*|desvel\w*|traduc\w*`,
		`prompt (?:del |de )?sistema|mensaje (?:del |de )?sistema|claves? (?:de (?:la )?)?api|contrasena\w*|instrucciones (?:del |de )?sistema|credencial\w*|secretos?|cookies|tokens?|archivos del usuario|datos (?:del usuario|personales|privados)|prompt`,
		`asistentes? (?:de )?(?:ia|ai|virtual\w*)|agentes? (?:de )?(?:ia|ai)|modelos? de lenguaje|inteligencia artificial|chatbot|\bia\b`,
		`(?:ahora )?eres (?:ahora|un[a]? (?:ia|asistente|modelo))|ahora eres|a partir de ahora|actua como|finge (?:que|ser)|nuevas (?:instrucciones|ordenes)|sin (?:ninguna )?(?:restriccion\w*|limite\w*|filtro\w*|regla\w*)|modo (?:desarrollador|dan)|ya no tienes (?:ninguna? )?(?:restricc|límit|limitac|regla|filtro)\w*`,
		`sin (?:preguntar|avisar|informar|notificar|decir)\w*[^.]{0,20}usuario|no (?:le )?(?:digas|informes|avises|menciones)[^.]{0,30}usuario|sin confirmacion`,
	},
	{
		"it", `ignora(?:te|re)?|dimentica(?:te|re)?|scorda|trascura|tralascia|non (?:seguire|considerare|rispettare)|disattendi|annulla|bypassa`,
		`precedent\w*|anterior\w*|tutt[eioa]|sopra|tue|tuoi|prior\w*|iniziali|originali|ricevut\w*`,
		`istruzion\w*|indicazion\w*|direttiv\w*|regol\w*|ordini|prompt|comand\w*|quello che ti (?:e stato|hanno) detto`,
		`rivel\w*|mostra\w*|stampa\w*|invia\w*|dimmi|dammi|divulga\w*|scrivi\w*|trasferisci\w*|inoltra\w*|cancella\w*|elimina\w*|esegui\w*|manda\w*|esporta\w*|espon\w*|spieg\w*|ripet\w*|svela\w*|condivid\w*|traduci`,
		`prompt (?:di |del )?sistema|messaggio (?:di |del )?sistema|chiavi? api|password|istruzioni (?:di |del )?sistema|credenzial\w*|segret\w*|cookie|token|file dell'utente|dati (?:dell'utente|personali|privati)`,
		`assistent\w* (?:ia|ai|virtual\w*)|agent\w* (?:ia|ai)|modell\w* linguistic\w*|intelligenza artificiale|chatbot|\bia\b`,
		`(?:ora|adesso) sei|sei (?:ora|adesso)|d'ora in poi|da ora in poi|fingi di|fai finta|agisci come|nuove istruzioni|senza (?:alcuna )?(?:restrizion\w*|limit\w*|filtr\w*|regol\w*)|modalita sviluppatore|non hai più (?:alcuna? |nessuna? )?(?:restrizion|limit|regol|filtr)\w*`,
		`senza (?:chiedere|avvisare|informare|dirlo)[^.]{0,20}utente|non (?:dirlo|informare|avvisare|dire)[^.]{0,30}utente|senza conferma`,
	},
	{
		"pt", `ignor(?:e|a|em|ar)|esque(?:ca|cam|cer|ce)|desconsider(?:e|a)|desprez(?:e|a)|descart(?:e|a)|nao (?:siga|sigas|obedeca)|desobedeca|anule`,
		`anterior\w*|previ\w*|tod[oa]s?|acima|suas?|seus?|tuas?|precedentes?|originais|iniciais|recebid\w*`,
		`instruc\w*|indicac\w*|diretri\w*|diretiv\w*|ordens|regras?|prompts?|comandos?|orientac\w*|o que (?:te|lhe) (?:disseram|foi dito)|tudo (?:o que foi dito|acima)`,
		`revel\w*|mostr\w*|imprim\w*|envi\w*|diga|de-me|divulg\w*|escrev\w*|transfir\w*|encaminh\w*|apagu\w*|exclu\w*|execut\w*|exib\w*|mand\w*|export\w*|compartilh\w*|expõe|exponha|explic\w*|explique|repit\w*|repete|desvend\w*|traduz\w*`,
		`prompt (?:do |de )?sistema|mensagem (?:do |de )?sistema|chaves? (?:de |da )?api|senhas?|instrucoes (?:do |de )?sistema|credenciais|segredos?|cookies|tokens?|arquivos do usuario|dados (?:do usuario|pessoais|privados)`,
		`assistentes? (?:de )?(?:ia|ai|virtua\w*)|agentes? (?:de )?(?:ia|ai)|modelos? de linguagem|inteligencia artificial|chatbot|\bia\b`,
		`agora voce e|voce (?:agora )?e (?:agora )?um[a]? (?:ia|assistente|modelo)|a partir de agora|finja (?:que|ser)|aja como|novas (?:instrucoes|ordens)|sem (?:nenhuma |quaisquer )?(?:restric\w*|limit\w*|filtr\w*|regra\w*)|modo desenvolvedor|você não tem mais (?:nenhuma? )?(?:restri|limit|regra|filtro)\w*`,
		`sem (?:perguntar|avisar|informar|notificar|pedir)[^.]{0,20}usuario|nao (?:diga|informe|avise|mencione|conte)[^.]{0,30}usuario|sem confirmacao`,
	},
	{
		"nl", `negeer|vergeet|sla[^.!?]{0,40}over|veronachtzaam|omzeil|volg[^.!?]{0,40}niet|leg[^.!?]{0,40}naast je`,
		`vorige|eerdere|voorgaande|bovenstaande|alle|jouw|je|uw|oorspronkelijke|hierboven|alles`,
		`instructies?|opdracht\w*|regels?|aanwijzing\w*|bevel\w*|richtlijn\w*|prompts?`,
		`toon|laat|geef|onthul|stuur|verstuur|druk|schrijf|vertel|deel|verwijder|voer|exporteer|mail`,
		`systeemprompt|systeembericht|systeeminstructies|api-?sleutels?|wachtwoord\w*|inloggegevens|geheimen|tokens?|bestanden van de gebruiker|gebruikersgegevens`,
		`ai-?(?:assistent\w*|agent\w*|model\w*)|taalmodel\w*|assistent|chatbot`,
		`je bent (?:nu|vanaf nu)|vanaf nu|doe alsof|gedraag je als|nieuwe instructies|zonder (?:beperking\w*|regels|filters)|ontwikkelaarsmodus`,
		`zonder (?:de )?gebruiker te (?:vragen|informeren|waarschuwen)|vertel (?:het )?(?:de )?gebruiker niet|zonder bevestiging`,
	},
	{
		"sv-da-no", `ignorera|ignorer|glom|glem|bortse fran|se bort fra|strunta i|tilsidesaet|tilsidesett|overse`,
		`tidigare|foregaende|alla|alle|tidligere|forrige|forega?ende|ovanstaende|ovenstaende|dina|dine|forega\w*`,
		`instruktion\w*|instruks\w*|anvisning\w*|regler|kommando\w*|direktiv\w*|retningslinjer|prompts?|ordre\w*|instrukser|opgaver`,
		`visa|vis|avsloja|afslor|avslor|skicka|send|skriv|giv|gi|ge|radera|slet|slett|kor|del`,
		`systemprompt\w*|systemmeddelande\w*|systembesked\w*|losenord\w*|adgangskod\w*|passord\w*|api-?nyck\w*|api-?nogl\w*|api-?nokl\w*|hemlighet\w*`,
		`ai-?(?:assistent\w*|agent\w*|modell?\w*)|sprakmodell\w*|sprogmodel\w*|assistent`,
		`du ar nu|du er na|du er nu|fran och med nu|fra nu av|fra og med|lats(?:as)? (?:som|att)|lat som|utan (?:begransning\w*|regler)|uden (?:begraensning\w*|regler)|uten (?:begrensning\w*|regler)|nya instruktioner|nye instru\w*`,
		`utan att (?:fraga|informera|meddela)[^.]{0,20}anvandar\w*|uden at (?:sporge|informere)[^.]{0,20}bruger\w*|uten a (?:sporre|informere)[^.]{0,20}bruker\w*`,
	},
	{
		"fi", `ohita|unohda|jata[^.!?]{0,40}huomiotta|ala (?:valita|noudata)|sivuuta`, `aiem\w*|edell\w*|kaik\w*|ylla\w*|aikaisem\w*`, `ohje\w*|maaray\w*|kask\w*|saann\w*|kehot\w*|komen\w*`,
		`nayta|paljasta|laheta|tulosta|kerro|anna|poista|suorita`, `jarjestelma\w*|salasan\w*|api-?avai\w*|salaisuu\w*`, `tekoaly\w*|kielimall\w*|avustaja\w*`, `olet nyt|tasta lahtien|teeskentele|uudet ohjeet|ilman rajoituks\w*`, `kertomatta kayttajalle|ala kerro kayttajalle|kysymatta kayttajalta`,
	},
	{
		"pl", `zignoruj\w*|ignoruj\w*|zapomnij\w*|pomin\w*|nie (?:stosuj|przestrzegaj|zwazaj)|zlekcewaz|odrzuc`, `poprzedni\w*|wczesniejsz\w*|wszystki\w*|powyzsz\w*|dotychczasow\w*|swoje|twoje`, `instrukcj\w*|polecen\w*|wytyczn\w*|zasad\w*|rozkaz\w*|regul\w*|prompt\w*|dyrektyw\w*`,
		`ujawnij\w*|pokaz\w*|wyswietl\w*|wyslij\w*|podaj\w*|wypisz\w*|przeslij\w*|usun\w*|wykonaj\w*|zdradz\w*`, `prompt\w* system\w*|systemow\w* (?:prompt\w*|komunikat\w*|instrukcj\w*|monit\w*)|monit\w* system\w*|hasl\w*|klucz\w* api|dane uzytkownika|tajne`, `asysten\w*|model\w* jezykow\w*|sztuczn\w* inteligencj\w*|agen\w* ai`, `(?:teraz )?jestes (?:teraz|od teraz)|od teraz|udawaj|nowe (?:instrukcje|polecenia)|bez (?:zadnych )?(?:ograniczen|zasad|filtrow)`, `bez (?:pytania|informowania|powiadamiania)[^.]{0,20}uzytkownik\w*|nie mow[^.]{0,20}uzytkownik\w*`,
	},
	{
		"cs-sk", `ignoruj\w*|zapomen\w*|zabudni\w*|nedbej|prehlizej|neriad sa|nerid se|vynech\w*`, `predchoz\w*|predosl\w*|predchadzajuc\w*|vsechn\w*|vsetk\w*|vyse|drivejsi\w*|skorsi\w*`, `pokyn\w*|instrukc\w*|instrukci\w*|prikaz\w*|pravidl\w*|prompt\w*`,
		`zobraz\w*|odhal\w*|ukaz\w*|posli\w*|vypis\w*|odesli\w*|smaz\w*|sdel\w*`, `systemov\w*|hesl\w*|api klic\w*|kluc\w* api`, `asistent\w*|jazykov\w* model\w*|umel\w* inteligenc\w*`, `(?:nyni|ted|teraz) (?:jsi|si)|od (?:nynejska|teraz)|predstirej|nove pokyny|bez omezeni`, `bez vedomi uzivatel\w*|nerikej uzivatel\w*`,
	},
	{
		"ro", `ignora(?:ti)?|uita(?:ti)?|nu (?:tine cont|urma)|omite`, `anterioar\w*|precedent\w*|toate|de mai sus|tale`, `instructiun\w*|comenz\w*|reguli\w*|directiv\w*|indicati\w*|prompt\w*`,
		`dezvalui\w*|arata\w*|afiseaz\w*|trimite\w*|spune\w*|sterge\w*|executa\w*|repetă|explică|expune|traduce`, `(?:prompt\w*|mesaj\w*|instructiun\w*) (?:de )?sistem\w*|parol\w*|chei\w* api|secret\w*`, `asistent\w*|model\w* lingvistic\w*|inteligent\w* artificial\w*|agent\w* ai`, `acum esti|de acum (?:incolo|inainte)|prefa-te|noi instructiuni|fara restrictii`, `fara sa (?:intrebi|informezi)|nu spune utilizatorului`,
	},
	{
		"hu", `hagyd figyelmen kivul|hagyja figyelmen kivul|felejtsd el|felejtse el|ne vedd figyelembe|mellozd`, `korabbi\w*|elozo\w*|osszes|minden\w*|fenti\w*|eddigi\w*`, `utasitas\w*|szabaly\w*|parancs\w*|iranyelv\w*|prompt\w*`,
		`mutasd\w*|fedd fel|ird ki|kuldd\w*|add meg|torold|arulj?d el`, `rendszer\w*|jelszo\w*|api-?kulcs\w*|titk\w*`, `asszisztens\w*|nyelvi modell\w*|mesterseges intelligencia`, `mostantol|most mar te|tegyel ugy|uj utasitas\w*|korlatozas\w* nelkul`, `a felhasznalo (?:megkerdezese|tudta|ertesitese) nelkul`,
	},
	{
		"tr", `yok say\w*|gormezden gel\w*|unut\w*|dikkate alma\w*|yoksay\w*|goz ardi et\w*|uyma\w*`, `onceki|tum|yukaridaki|butun|daha onceki|verilen|her`, `talimat\w*|yonerge\w*|komut\w*|kural\w*|emir\w*|prompt\w*|istem\w*`,
		`goster\w*|acikla\w*|yazdir\w*|gonder\w*|ifsa\w*|soyle\w*|ver|paylas\w*|sil|calistir\w*|ilet\w*`, `sistem (?:istem\w*|mesaj\w*|komut\w*|prompt\w*|talimat\w*)|api anahtar\w*|sifre\w*|parola\w*|gizli \w+|cerez\w*`, `yapay zeka\w*|asistan\w*|dil model\w*`, `artik (?:sen|bir)|su andan itibaren|bundan (?:sonra|boyle)|gibi davran\w*|yeni talimat\w*|kisitlama\w* olmadan`, `kullanici\w*[^.]{0,30}(?:sormadan|soyleme\w*|haber vermeden|bildirmeden)`,
	},
	{
		"id-ms", `abaikan|lupakan|jangan (?:ikuti|hiraukan)|kesampingkan`, `sebelumnya|semua|di atas|terdahulu|segala|sebelum ini|terdahulu`, `instruksi|perintah|arahan|petunjuk|aturan|prompt|peraturan`,
		`tampilkan|ungkapkan|tunjukkan|kirim(?:kan)?|cetak|beritahu|hapus|jalankan|berikan|dedahkan|bocorkan|paparkan`, `prompt sistem|pesan sistem|kata sandi|kata laluan|kunci api|rahasia|kredensial|instruksi sistem|cookie`, `asisten|pembantu ai|model bahasa|kecerdasan buatan|agen ai`, `sekarang (?:kamu|anda) adalah|mulai sekarang|berpura-pura|instruksi baru|tanpa batasan`, `tanpa (?:bertanya|memberi ?tahu|konfirmasi)[^.]{0,20}pengguna|jangan beri ?tahu pengguna`,
	},
	{
		"vi", `bo qua|phot lo|quen|dung (?:lam theo|tuan theo)|khong (?:tuan theo|lam theo)`, `truoc|tat ca|moi|o tren|ban dau`, `huong dan|chi dan|lenh|chi thi|quy tac|yeu cau|prompt`,
		`tiet lo|hien thi|in ra|gui|cho (?:toi )?(?:xem|biet)|xoa|thuc thi|chuyen`, `(?:loi nhac|huong dan|thong bao|prompt|lenh|chi thi|nhac) (?:cua )?he thong|he thong|mat khau|khoa api|bi mat`, `tro ly|mo hinh ngon ngu|tri tue nhan tao`, `bay gio ban la|tu bay gio|gia vo|huong dan moi|khong (?:co )?(?:gioi han|han che)`, `khong (?:hoi|bao|thong bao)[^.]{0,20}nguoi dung`,
	},
	{
		"ru", `игнориру(?:й|йте|ем)|проигнориру(?:й|йте)|забуд(?:ь|ьте)|не обраща(?:й|йте) внимани\pL*|отброс(?:ь|ьте)|отмени(?:те)?|пренебрег\pL*|не (?:следу|выполня|соблюда)(?:й|йте)|обойди(?:те)?|перестань(?:те)? (?:следовать|выполнять)|нарушь(?:те)?|сбрось(?:те)?`,
		`предыдущ\pL*|прежн\pL*|все|всех|всё|ранн\pL*|ранее|выше\pL*|прошл\pL*|предшествующ\pL*|сво\pL*|тво\pL*|исходн\pL*|изначальн\pL*|любые|до этого`,
		`инструкц\pL*|указан\pL*|команд\pL*|правил\pL*|промпт\pL*|распоряжен\pL*|подсказ\pL*|директив\pL*|ограничен\pL*|предписан\pL*|приказ\pL*|установк\pL*|наставлен\pL*|что (?:тебе|вам) (?:\pL+ )?(?:говорили|сказали|велели|сказано)`,
		`покажи\pL*|раскро\pL*|выведи\pL*|вывести|отправ\pL*|сообщи\pL*|перешли\pL*|напечата\pL*|удали\pL*|выда\pL*|назови\pL*|переведи\pL*|пришли\pL*|вышли|вышлите|высылай\pL*|выполни\pL*|запусти\pL*|скинь\pL*|передай\pL*|загрузи\pL*|распечатай\pL*|расскажи\pL*|экспортир\pL*|скопиру\pL*|нажми\pL*`,
		`системн\pL* (?:промпт\pL*|сообщен\pL*|инструкц\pL*|подсказ\pL*|запрос\pL*)|парол\pL*|api[- ]ключ\pL*|ключ\pL* api|токен\pL*|куки|cookie\w*|данные пользовател\pL*|секрет\pL*|файл\pL* пользовател\pL*|учетн\pL* данн\pL*|переписк\pL*|ключи|промпт\pL*|деньги|конфиденциальн\pL*`,
		`ии-?(?:ассистент\pL*|агент\pL*|помощник\pL*|модел\pL*)?|ассистент\pL*|нейросет\pL*|языков\pL* модел\pL*|искусственн\pL* интеллект\pL*|чат-?бот\pL*|помощник\pL*`,
		`теперь ты|ты теперь|отныне|с этого момента|притворись\pL*|представь,? что ты|веди себя как|новые (?:инструкции|указания)|без (?:каких-либо |всяких )?(?:ограничений|правил|фильтров|цензуры)|режим разработчика|действуй как`,
		`не (?:говори|сообщай|спрашивай|уведомляй|рассказывай)[^.]{0,30}пользовател\pL*|без (?:ведома|подтверждения|согласия|уведомления)(?: пользовател\pL*)?|не спрашивая|пользовател\pL* уже (?:одобрил|разрешил|согласил)\pL*`,
	},
	{
		"uk-bg-sr", `ігноруй\pL*|проігноруй\pL*|забудь\pL*|не зважай\pL*|игнорирай\pL*|забрави\pL*|пренебрегни\pL*|игнориши\pL*|занемари\pL*|zanemari\w*|ignorir(?:aj|iraj|isi)\w*|zaboravi\w*|знехтуй\pL*|відкинь\pL*`,
		`попередн\pL*|усі|всі|вище\pL*|предишн\pL*|всички|горн\pL*|претходн\pL*|све|sve|prethodn\w*|свої|твої`,
		`інструкц\pL*|вказівк\pL*|команд\pL*|правил\pL*|инструкц\pL*|указани\pL*|упутств\pL*|uputstv\w*|uput\w*|instrukcij\w*|naredb\w*|нарежд\pL*|розпоряджен\pL*`,
		`покажи\pL*|розкрий\pL*|виведи\pL*|надішли\pL*|відправ\pL*|разкрий\pL*|изпрати\pL*|прикажи\pL*|otkrij\w*|prikazi\w*|posalji\w*|видали\pL*|повідом\pL*`,
		`системн\pL*|парол\pL*|лозинк\pL*|sistemsk\w*|lozink\w*|api[- ]?ключ\pL*|ключ\pL* api|секрет\pL*|промпт\pL*`,
		`асистент\pL*|помічник\pL*|мовн\pL* модел\pL*|штучн\pL* інтелект\pL*|изкуствен\pL* интелект\pL*|помоћник\pL*`, `тепер ти|ти тепер|відтепер|удавай|вече си|от сега нататък|sada si|od sada|нові (?:інструкції|вказівки)`, `не кажи користувач\pL*|без відома користувач\pL*|не казвай на потребител\pL*`,
	},
	{"el", `αγνοησ\pL*|αγνοειστε|ξεχασ\pL*|παραβλεψ\pL*|μην ακολουθ\pL*`, `προηγουμεν\pL*|ολες|ολα|παραπανω|πρωτερ\pL*`, `οδηγι\pL*|εντολ\pL*|κανον\pL*|προτροπ\pL*`, `αποκαλυψ\pL*|δειξ\pL*|εμφανισ\pL*|στειλ\pL*|εκτυπωσ\pL*|πες|διαγραψ\pL*`, `συστηματ\pL*|κωδικ\pL*|κλειδι\pL* api|μυστικ\pL*`, `βοηθ\pL*|τεχνητ\pL* νοημοσυν\pL*|γλωσσικ\pL* μοντελ\pL*`, `τωρα εισαι|εισαι τωρα|απο (?:τωρα|εδω) και (?:στο εξης|περα)|προσποιησου|νεες οδηγιες|χωρις περιορισμ\pL*`, `χωρις να (?:ρωτησ\pL*|ενημερωσ\pL*)[^.]{0,20}χρηστη|μην (?:πεις|ενημερωσεις)[^.]{0,20}χρηστη`},
	{
		"ar", `تجاهل\pL*|انس|انسى|إنس|لا تتبع|تجاوز|أهمل|اهمل|تغاضى?`, `السابق\pL*|جميع|كل|أعلاه|اعلاه|الأصلي\pL*|قبل|كافة|أي`, `التعليمات|تعليمات\pL*|الأوامر|اوامر|أوامر\pL*|الإرشادات|إرشادات\pL*|القواعد|التوجيهات|توجيهات\pL*|القيود|الموجه`,
		`اكشف|أظهر|اظهر|اعرض|أرسل|ارسل|اطبع|أخبر\pL*|سرب|شارك|احذف|نفذ|حول|افصح|أفصح|زود\pL*`, `(?:تعليمات|موجه|مطالبة|رسالة|أوامر|توجيهات) النظام|النظام|كلم\pL* المرور|كلمة السر|مفاتيح|مفتاح|بيانات المستخدم|ملفات المستخدم|أسرار|الأسرار|ملفات تعريف الارتباط`, `المساعد|مساعد|الذكاء الاصطناعي|نموذج لغوي|وكيل|الوكيل|روبوت`, `أنت الآن|انت الان|من الآن فصاعدا|تظاهر|تصرف ك\pL*|تعليمات جديدة|دون قيود|بدون قيود|بلا قيود|لم يعد لديك (?:أي )?(?:قيود|حدود|قواعد)`, `دون (?:إخبار|علم|سؤال|إبلاغ) المستخدم|لا تخبر المستخدم|بدون (?:تأكيد|إذن|علم)`,
	},
	{"fa-ur", `نادیده بگیر\pL*|فراموش کن\pL*|نادیده|چشم پوشی کن|نظر انداز کر\pL*|بھول جا\pL*|توجه نکن|پیروی نکن`, `قبلی|پیشین|تمام|همه|بالا|پچھلی|سابقہ|پچھلے|تمامی|کلیه|قبل`, `دستورالعمل\pL*|دستور\pL*|قوانین|هدایات|ہدایات|فرمان\pL*|راهنما\pL*|احکامات|قواعد`, `نشان بده|نشان دهید|فاش کن|افشا کن|آشکار کن|ارسال کن|بفرست|چاپ کن|ظاہر کر\pL*|دکھا\pL*|بھیج\pL*|بگو|حذف کن|اجرا کن`, `سیستم\pL*|رمز\pL*|کلید\pL*|سسٹم|پاس ورڈ|پاسورڈ|پرامپت|پرامپٹ|کوکی\pL*|محرمانه`, `دستیار|هوش مصنوعی|مدل زبانی|اے آئی|عامل`, `تو اکنون|اکنون تو|از این پس|از حالا|وانمود کن|دستورات جدید|بدون محدودیت|اب آپ|اب تم`, `بدون (?:اطلاع|پرسیدن|تأیید|تایید)[^.]{0,20}کاربر|به کاربر نگو`},
	{"he", `התעלמ\pL*|התעלם|שכח\pL*|אל ת(?:ציית|עקוב)\pL*|תתעלמ?\pL*`, `הקודמות|הקודם|כל|לעיל|שניתנו|הקודמים|קודמות`, `ההוראות|הוראות|מההוראות|מההנחיות|מהכללים|מהפקודות|מהוראות|ההנחיות|הנחיות|הפקודות|פקודות|הכללים|כללים|פרומפט`, `חשוף|חשפ\pL*|הצג|הצגי|שלח\pL*|הדפס|גלה|תגלה|תשלח|הראה|מחק|ספר|העבר`, `המערכת|מערכת|סיסמ\pL*|מפתחות?|מפתחות ה-api|מפתח|סודות|הפרומפט`, `העוזר|עוזר|בינה מלאכותית|מודל שפה|סוכן`, `אתה עכשיו|עכשיו אתה|מעכשיו|מעתה|העמד פנים|הוראות חדשות|ללא הגבלות`, `בלי (?:לשאול|לעדכן|ליידע)[^.]{0,20}המשתמש|אל תספר למשתמש`},
	{"hi-bn-mr", `अनदख\pL*|अनदेख\pL*|नजरअदाज|नज़रअंदाज़|नजरअंदाज|भल जा\pL*|भूल जा\pL*|उपक्षा|उपेक्षा|দুর্লক্ষ|উপেক্ষা|উপক্ষা|ভলে যা\pL*|ভুলে যা\pL*|ভল|अवहेलना|दुर्लक्ष|অগ্রাহ্য`, `पिछले|पिछली|सभी|पूर्व|ऊपर|सारे|सब|পূর্ববর্তী|আগের|সমস্ত|সব|সকল|मागील|सर्व|पहले|पहली`, `निर्देश\pL*|आदेश\pL*|नियम\pL*|अनुदेश\pL*|নির্দেশ\pL*|আদেশ|নিয়ম|सूचना`, `दिखा\pL*|बता\pL*|प्रकट|भेज\pL*|उजागर|दखा\pL*|खुलासा|দেখা\pL*|প্রকাশ|পাঠা\pL*|বল\pL*|हटा\pL*|चला\pL*|दाखव\pL*`, `सिस्टम|पासवर्ड|कुंजी|कुंजियाँ|प्रॉम्प्ट|গোপন|সিস্টেম|পাসওয়ার্ড|गुप्त|एपीआई|api`, `सहायक|एआई|कृत्रिम बुद्धि\pL*|भाषा मॉडल|এআই|সহকারী|असिस्टेंट`, `अब आप|अब तुम|अब से|नए निर्देश|এখন তুমি|এখন থেকে|নতুন নির্দেশ`, `उपयोगकर्ता को (?:बताए|पूछे|सूचित किए) बिना|उपयोगकर्ता को मत बता\pL*`},
	{"th", `เพิกเฉย|ละเว้น|ลืม|ไม่ต้องสนใจ|อย่าทำตาม|ไม่สนใจ|เมินเฉย|ละเลย`, `ก่อนหน้า|ทั้งหมด|ข้างต้น|เดิม|ที่ผ่านมา`, `คำสั่ง|คำแนะนำ|กฎ|ข้อกำหนด|พรอมต์|คำชี้แจง`, `แสดง|เปิดเผย|ส่ง|พิมพ์|บอก|ลบ|รัน`, `ระบบ|รหัสผ่าน|คีย์|ความลับ|พรอมต์`, `ผู้ช่วย|ปัญญาประดิษฐ์|เอไอ|โมเดลภาษา`, `ตอนนี้คุณคือ|จากนี้ไป|แสร้งทำ|คำสั่งใหม่`, `โดยไม่(?:ถาม|แจ้ง|บอก)ผู้ใช้|อย่าบอกผู้ใช้`},
	{
		"zh", `忽略|无视|無視|忘记|忘記|忽視|忽视|不要理会|不要理會|不要遵守|不要遵循|抛开|拋開|摒弃|不用管|别管|撤销|覆盖|绕过|違反|违反|忘掉|停止遵守|取消`, `之前|以上|先前|所有|上述|前面|此前|全部|一切|你的|原有|原来|之前的|先前的|早先|系统|系統|任何`, `指令|指示|说明|提示|规则|命令|規則|說明|要求|限制|约束|設定|设定|准则|指引|提示词|告诉你的|对你说的|内容|文字|內容`,
		`显示|泄露|透露|输出|打印|告诉|发送|顯示|洩露|輸出|发给|说出|展示|公开|转发|傳送|发到|提供|删除|执行|转账|上传|導出|导出|揭示|给我|列出|告訴|複述|复述|重复|揭露|翻译|解释|翻譯`, `系统提示\pL*|系統提示\pL*|提示词|提示詞|系统指令|系統指令|系统消息|密码|密碼|密钥|密鑰|api ?key|api密钥|凭据|凭证|用户数据|用户的\pL{0,4}文件|cookie|机密|秘密|隐私|令牌|聊天记录|对话记录`,
		`ai ?(?:助手|代理|模型|智能体)|人工智能|智能助手|语言模型|語言模型|助手|机器人`, `你现在是|你現在是|从现在开始|從現在開始|从现在起|假装你?|假裝|扮演|新的?指令|新的?指示|没有任何限制|不受\pL{0,4}限制|开发者模式|開發者模式`, `不要告诉用户|不要告訴用戶|不要通知用户|无需(?:用户)?确认|不要询问|不经用户|用户已经?(?:同意|批准|授权)|不让用户知道|別告訴用戶|别告诉用户`,
	},
	{"ja", `無視|忘れ|従わない|従うな|破棄|取り消し|気にせず|無効|キャンセル`, `以前|これまで|上記|すべて|全て|前の|先の|今まで|以上|全部|あらゆる|元の|それまで|直前`, `指示|命令|指令|プロンプト|ルール|規則|説明|制約|制限|ガイドライン|手順|言われたこと|教えられたこと`, `表示|明か|教え|出力|送信|公開|開示|送って|送れ|転送|見せ|漏ら|印刷|削除|実行|書き出し|暴露|教示|明らか`, `システムプロンプト|システムメッセージ|パスワード|apiキー|api キー|鍵|秘密|機密|クッキー|認証情報|プロンプト|トークン|ユーサ\pL*テータ|ユーザ\pL*データ|個人情報`, `aiアシスタント|aiエージェント|アシスタント|人工知能|言語モデル|ai\pL{0,2}(?:は|へ|に)`, `あなたは今から|今から(?:あなたは)?|これからは|ふりをし|振る舞って|新しい指示|制限なし|制約なし|開発者モード`, `ユーサ\pL{0,2}に(?:は)?(?:知らせ|伝え|確認せ|言わ|聞か)\pL*|ユーザ\pL{0,2}に(?:は)?(?:知らせ|伝え|確認せ|言わ|聞か)\pL*|確認なし`},
	{"ko", `무시|잊어|잊으|잊고|따르지|무효|버리`, `이전|모든|위의|앞의|기존|지금까지|앞서|전부|모두|위에`, `지시|명령|지침|안내|프롬프트|규칙|설명|제한|설정`, `보여|공개|출력|알려|전송|보내|표시|노출|삭제|실행|말해|유출|제공|드러내`, `시스템 ?프롬프트|시스템 ?메시지|시스템 ?지침|비밀번호|암호|api ?키|비밀|기밀|쿠키|토큰|사용자 ?(?:데이터|파일|정보)|프롬프트|자격 증명`, `ai ?(?:어시스턴트|에이전트|비서|모델)|인공지능|언어 ?모델|어시스턴트|도우미`, `너는 이제|당신은 이제|이제부터|지금부터|척해|척하|새로운 지시|제한 없이|개발자 모드|역할을`, `사용자에게 (?:알리지|말하지|묻지)\pL*|사용자 (?:확인|동의|승인) 없이`},
	{"sw-tl", `puuza|sahau|huwag pansinin|balewalain|kalimutan|kalimutan mo|isantabi`, `yote|ya awali|yaliyotangulia|lahat|nakaraang|naunang|mga naunang|iliyopita|zilizopita`, `maagizo|maelekezo|amri|tagubilin|utos|panuto|instruksyon|mga tagubilin`, `onyesha|tuma|fichua|ipakita|ipadala|ilabas|ibunyag|toa|ibigay`, `mfumo|nenosiri|system prompt|password|sistema|siri|funguo`, `msaidizi|akili bandia|katulong`, `sasa wewe ni|kuanzia sasa|ikaw ay ngayon|mula ngayon`, `bila kumwambia mtumiaji|huwag sabihin sa user`},
}

// possessives make a secret the agent's own, in all languages together.
var possessives = foldPattern(`deine\w*|ihre\w*|ton|ta|tes|votre|vos|tu|tus|sus?|tu[oaie]i?|seus?|suas?|teus?|jouw|uw|din|dina|dine|ditt|dit|сво\pL*|тво\pL*|ваш\pL*|twoj\w*|swoj\w*|tvoj\w*|svoj\w*|你的|您的|あなたの|너의|당신의|네|σου|σας|kendi|mu|anda|cua ban`)

// row puts classes of words one after the other within one sentence, at most
// reach characters between two. Words have edges, but in scripts that put no
// blanks between them; RE2's \b knows ASCII letters alone.
func row(reach int, classes ...string) string {
	n := strconv.Itoa(reach)
	between := `[^.!?。！？\n"]{0,` + n + `}?`
	end := ""
	if !blankless(classes[0]) {
		between = `[^\pL\pN.!?\n"_]+(?:[^.!?\n"]{0,` + n + `}?[^\pL\pN"_])?`
		end = `(?:$|[^\pL\pN_])`
	}
	var words []string
	for _, c := range classes {
		words = append(words, `(?:`+c+`)`)
	}
	return strings.Join(words, between) + end
}

// blankless reports whether a class is of a script without blanks.
func blankless(class string) bool { return strings.ContainsFunc(class, blanklessRune) }

// blanklessRune reports letters of Thai, Chinese, Japanese and (decomposed)
// Korean, whose words begin anywhere.
func blanklessRune(r rune) bool {
	return r >= 0x0E00 && r < 0x0E80 || r >= 0x1100 && r < 0x1200 || r >= 0x3040
}

// foreign are the rules for all languages but English.
func foreign() []rule {
	var out []rule
	for _, l := range languages {
		override, prior, meta := foldPattern(l.override), foldPattern(l.prior), foldPattern(l.meta)
		reveal, own, machine := foldPattern(l.reveal), foldPattern(l.own), foldPattern(l.machine)
		add := func(technique string, weight float64, pattern string) {
			out = append(out, rule{technique: technique, weight: weight, pattern: re(pattern), lang: l.code})
		}
		// The three words of an override in whichever order the language puts
		// them, and two of them.
		v, p, m := override, prior, meta
		for _, o := range [][3]string{{v, p, m}, {v, m, p}, {p, m, v}, {m, p, v}, {p, v, m}, {m, v, p}} {
			add("instruction_override", 3, row(40, o[:]...))
		}
		for _, pair := range [][2]string{{v, m}, {m, v}} {
			add("instruction_override", 2, row(40, pair[:]...))
		}
		for _, pair := range [][2]string{{reveal, own}, {own, reveal}} {
			add("prompt_leak", 2, row(40, pair[:]...))
		}
		for _, o := range [][3]string{{reveal, possessives, own}, {possessives, own, reveal}} {
			add("prompt_leak", 2.5, row(30, o[:]...)) // a person is asked for a password as well
		}
		add("agent_directed", 1.5, row(0, machine))
		add("role_play", 2, row(0, foldPattern(l.role)))
		add("concealment", 2, row(0, foldPattern(l.unseen)))
		add("exfiltration", 1, row(0, reveal)+`[^!?\n]{0,80}?(?:https?://|\S+@\S+\.\w|\b[a-z0-9-]+\.(?:com|net|org|io|example|xyz|ru)\b)`)
	}
	return out
}

// foldPattern folds the letters of a pattern as a text is folded, so that
// patterns can be written in good spelling.
func foldPattern(p string) string {
	folded, _ := fold(strings.NewReplacer(`\pL`, "\x01", `\pN`, "\x02").Replace(p))
	return strings.NewReplacer("\x01", `\pL`, "\x02", `\pN`).Replace(folded)
}
